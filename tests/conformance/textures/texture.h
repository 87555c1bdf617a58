// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays, textures and surfaces in one line each.
#pragma once

#include "../check.h"

#include <algorithm>

/// A CUDA array filled with `texels`, row by row; height and depth 0 if it has none.
template <class T>
cudaArray_t makeArray(const std::vector<T> &texels, size_t width, size_t height = 0,
                      size_t depth = 0, unsigned flags = 0) {
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
  cudaArray_t array;
  CHECK_CUDA(cudaMalloc3DArray(&array, &desc, make_cudaExtent(width, height, depth), flags));
  const size_t rows = std::max<size_t>(height, 1);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<T *>(texels.data()), width * sizeof(T), width, rows);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, rows, std::max<size_t>(depth, 1));
  copy.kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaMemcpy3D(&copy));
  return array;
}

inline cudaResourceDesc resourceOf(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

struct Modes {
  cudaTextureFilterMode filter = cudaFilterModePoint;
  cudaTextureAddressMode address = cudaAddressModeClamp;
  bool normalized = false;
  cudaTextureReadMode read = cudaReadModeElementType;
};

inline cudaTextureObject_t makeTexture(const cudaResourceDesc &resource, const Modes &modes = {}) {
  cudaTextureDesc desc = {};
  for (auto &mode : desc.addressMode)
    mode = modes.address;
  desc.filterMode = modes.filter;
  desc.readMode = modes.read;
  desc.normalizedCoords = modes.normalized;
  cudaTextureObject_t texture = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  return texture;
}

inline cudaSurfaceObject_t makeSurface(cudaArray_t array) {
  cudaResourceDesc resource = resourceOf(array);
  cudaSurfaceObject_t surface = 0;
  CHECK_CUDA(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}
