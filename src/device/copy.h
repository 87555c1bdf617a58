// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills of linear memory: checked against the allocations they touch, then put into a
// stream. Every cudaMemcpy and cudaMemset form comes down to a box of bytes.
#pragma once

#include "device/device.h"

namespace heddle {

/// A box of bytes: `depth` slices of `height` rows of `width` bytes.
struct Box {
  size_t width = 0, height = 1, depth = 1;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

/// Where a box lies: rows are `pitch` bytes apart, slices `rows` rows.
struct BoxPlace {
  void *base = nullptr;
  size_t pitch = 0, rows = 1;
};

enum class CopyMode {
  Blocking, // cudaMemcpy: returns when done, but for copies within device memory
  Async,    // cudaMemcpyAsync: returns at once, but where pageable host memory forbids it
};

cudaError_t copy(Device &device, DeviceStream &stream, const BoxPlace &destination,
                 const BoxPlace &source, const Box &box, cudaMemcpyKind kind, CopyMode mode);

cudaError_t fill(Device &device, DeviceStream &stream, const BoxPlace &destination,
                 unsigned char value, const Box &box, CopyMode mode);

} // namespace heddle
