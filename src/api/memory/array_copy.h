// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a 3-D copy's box lies on either side: in linear memory or in a CUDA array.
#pragma once

#include "api/entry.h"
#include "device/texture/array.h"

namespace heddle::api {

/// One side of a cudaMemcpy3D or cudaMemcpy3DPeer.
struct Side3D {
  cudaArray_t array = nullptr;
  cudaPos position = {};
  cudaPitchedPtr pointer = {};
};

/// The places of a box. Its width, and positions along x, count elements if there is an array on
/// either side, else bytes (CUDA runtime API, cudaMemcpy3D). `box` comes back in bytes.
cudaError_t placeBox(const Side3D &to, const Side3D &from, const cudaExtent &extent,
                     BoxPlace &to_place, BoxPlace &from_place, Box &box);

/// Whether `kind` may stand for a copy between such sides: an array is device memory.
cudaError_t checkArrayDirection(bool to_array, bool from_array, cudaMemcpyKind kind);

} // namespace heddle::api
