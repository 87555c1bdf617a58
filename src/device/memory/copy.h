// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills of linear memory: checked against the allocations they touch, then put into a
// stream. Every cudaMemcpy and cudaMemset form comes down to a box of bytes.
#pragma once

#include "device/operation.h"

#include <driver_types.h>
#include <vector>

namespace heddle {

/// A box of bytes: `depth` slices of `height` rows of `width` bytes.
struct Box {
  size_t width = 0, height = 1, depth = 1;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
  size_t bytes() const { return width * height * depth; }
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

/// A checked copy. `parameters` tell of it as cudaMemcpy3D would have it.
class CopyOperation final : public Operation {
public:
  using Operation::Operation;
  cudaGraphNodeType type() const override { return cudaGraphNodeTypeMemcpy; }
  void run() const noexcept override;

  BoxPlace destination, source;
  Box box;
  cudaMemcpy3DParms parameters = {};
  bool to_pageable = false, from_pageable = false; // host memory that CUDA does not know
  bool within_device = false;
  /// What `source` held when the operation was made, if it is small: the source may then change.
  std::vector<char> staged;
  void stage();
};

/// A checked fill of `box` with elements of 1, 2 or 4 bytes.
class FillOperation final : public Operation {
public:
  using Operation::Operation;
  cudaGraphNodeType type() const override { return cudaGraphNodeTypeMemset; }
  void run() const noexcept override;

  BoxPlace destination;
  Box box;
  unsigned value = 0, element = 1;
  cudaMemsetParams parameters = {}; // the fill as a graph is told of it
  bool on_device = false;           // not memory of the host
};

/// Checks a copy, which may be of nothing.
cudaError_t prepareCopy(Device &device, const BoxPlace &destination, const BoxPlace &source,
                        const Box &box, cudaMemcpyKind kind,
                        std::shared_ptr<CopyOperation> &operation);
/// The same for fills; the width of the box is in bytes, a multiple of `element`.
cudaError_t prepareFill(Device &device, const BoxPlace &destination, unsigned value,
                        unsigned element, const Box &box,
                        std::shared_ptr<FillOperation> &operation);

/// Puts a checked copy on the stream.
cudaError_t copy(DeviceStream &stream, std::shared_ptr<CopyOperation> operation, CopyMode mode);

cudaError_t copy(Device &device, DeviceStream &stream, const BoxPlace &destination,
                 const BoxPlace &source, const Box &box, cudaMemcpyKind kind, CopyMode mode);

/// The width of the box is in bytes, a multiple of `element`.
cudaError_t fill(Device &device, DeviceStream &stream, const BoxPlace &destination, unsigned value,
                 unsigned element, const Box &box, CopyMode mode);

} // namespace heddle
