// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An arena: the address space from which one virtual device's memory comes.
//
// Device pointers are host addresses, so that kernels compiled for the CPU can use them as they
// are. They all come from one reserved range per device, which tells a device pointer from any
// other and lets a wild access fault: pages are accessible only while an allocation (with a little
// slack, because a GPU too forgives writing a bit past the end) lies on them. Some of those that
// were freed last keep their memory, inaccessible, for the next allocation: the host clears fresh
// pages when they are first touched, which takes longer than most kernels.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

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

  /// From now on, while an observer wants it, host code cannot access this arena's memory
  /// (engine/observe/host_guard.h). Before the first allocation.
  void guardFromHost();

  /// Zero-initialised where the pages are fresh. Null if the range is exhausted or the host cannot
  /// commit the memory. `own_pages`: no other allocation lies on its pages.
  void *allocate(size_t bytes, bool own_pages = false);
  /// Pages of their own for so many bytes, inaccessible for now. Null if the range is exhausted.
  void *reserve(size_t bytes);
  /// Makes reserved pages accessible; false if the host cannot.
  bool commit(void *pointer);
  /// Makes them inaccessible again and gives the memory back to the host.
  void decommit(void *pointer);
  /// Gives back the allocation that starts at `pointer`; false if none does.
  bool release(void *pointer);
  /// Gives back everything.
  void releaseAll();
  /// A part of the range in a file that other processes can map (interprocess/shared_file.h).
  struct Shared {
    int descriptor;
    size_t offset;
  };
  /// Moves the pages on which these bytes of an allocation lie to such a file; addresses and
  /// content stay. Nothing may write to them meanwhile. Nothing if the host cannot.
  std::optional<Shared> share(const void *pointer, size_t bytes);
  /// Whether the address lies in the reserved range, allocated or not.
  bool contains(const void *pointer) const;
  /// Lets the host find memory for an allocation's pages now, not when they are first touched. A
  /// hint.
  static void populate(void *pointer, size_t bytes);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace heddle
