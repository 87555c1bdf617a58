// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory for blocks.
//
// It lies below 4 GiB, so that a 32-bit shared address (PTX ISA, "cvta") is the low half of the
// generic one, and an inaccessible page follows it, so that an overrun faults. Mappings are pooled,
// since creating one costs more than running a small block.
#pragma once

#include <cstddef>

namespace heddle::engine {

class SharedMemory {
public:
  /// At least `bytes` bytes. Throws std::bad_alloc.
  explicit SharedMemory(size_t bytes);
  ~SharedMemory();
  SharedMemory(const SharedMemory &) = delete;

  /// One past the last accessible byte; a multiple of the page size.
  char *end() const { return start_ + bytes_; }

private:
  char *start_;
  size_t bytes_;
};

} // namespace heddle::engine
