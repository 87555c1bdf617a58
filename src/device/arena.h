// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An arena: the address space from which one virtual device's memory comes.
//
// Device pointers are host addresses, so that kernels compiled for the CPU can use them as they
// are. They all come from one reserved range per device, which tells a device pointer from any
// other and lets a wild access fault: pages are accessible only while an allocation (with a little
// slack, because a GPU too forgives writing a bit past the end) lies on them.
#pragma once

#include <cstddef>
#include <memory>

namespace heddle {

/// Hands out aligned memory from a reserved range. Thread-safe.
class Arena {
public:
  /// Reserves addresses for `capacity` bytes of allocations; commits nothing.
  /// Throws std::bad_alloc if the host has not even that much address space.
  explicit Arena(size_t capacity);
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// What cudaMalloc aligns to, and the least that an allocation occupies.
  static constexpr size_t alignment = 512;

  /// Zero-initialised where the pages are fresh. Null if the range is exhausted or the host cannot
  /// commit the memory.
  void *allocate(size_t bytes);
  /// Gives back the allocation that starts at `pointer`; false if none does.
  bool release(void *pointer);
  /// Gives back everything.
  void releaseAll();
  /// Whether the address lies in the reserved range, allocated or not.
  bool contains(const void *pointer) const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace heddle
