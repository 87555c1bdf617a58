// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA arrays and mipmapped arrays: made, asked about, freed.
#include "device/texture/array.h"
#include "api/entry.h"
#include "device/texture/texture.h"

using namespace heddle;
using namespace heddle::api;

namespace {

// Handles are opaque to programs; the objects are ours.
cudaArray_t handleOf(const Array *array) {
  return reinterpret_cast<cudaArray_t>(const_cast<Array *>(array));
}

cudaError_t allocate(cudaArray_t *array, const cudaChannelFormatDesc *desc,
                     const cudaExtent &extent, unsigned flags) {
  return callDevice([&](Device &device) {
    if (!array)
      return cudaErrorInvalidValue;
    std::shared_ptr<Array> made;
    const cudaError_t error = Array::create(device, desc, extent, flags, made);
    *array = error ? nullptr : handleOf(made.get());
    return error;
  });
}

/// Runs a body that uses an array.
template <class Body> cudaError_t callArray(cudaArray_const_t handle, Body body) {
  return callDevice([&](Device &) {
    std::shared_ptr<Array> array;
    const cudaError_t error = Array::find(handle, array);
    return error ? error : body(*array);
  });
}

template <class Body> cudaError_t callMipmaps(cudaMipmappedArray_const_t handle, Body body) {
  return callDevice([&](Device &) {
    std::shared_ptr<MipmappedArray> mipmaps;
    const cudaError_t error = MipmappedArray::find(handle, mipmaps);
    return error ? error : body(*mipmaps);
  });
}

} // namespace

cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *desc, size_t width,
                            size_t height, unsigned flags) {
  if (flags & (cudaArrayLayered | cudaArrayCubemap)) // a depth is needed
    return call([] { return cudaErrorInvalidValue; });
  return allocate(array, desc, {width, height, 0}, flags);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *desc,
                              cudaExtent extent, unsigned flags) {
  return allocate(array, desc, extent, flags);
}

cudaError_t cudaFreeArray(cudaArray_t handle) {
  return callDevice([&](Device &) {
    if (!handle)
      return cudaSuccess;
    std::shared_ptr<Array> array;
    if (Array::find(handle, array) != cudaSuccess)
      return cudaErrorInvalidResourceHandle;
    if (array->isLevel()) // goes with its mipmaps
      return cudaSuccess;
    const cudaError_t error = array->device.synchronize();
    Textures::instance().forget(*array);
    Array::handles().remove(handle);
    return error;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *desc, cudaArray_const_t array) {
  return callArray(array, [&](const Array &found) {
    if (!desc)
      return cudaErrorInvalidValue;
    *desc = found.desc;
    return cudaSuccess;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *desc, cudaExtent *extent, unsigned *flags,
                             cudaArray_t array) {
  return callArray(array, [&](const Array &found) {
    if (desc)
      *desc = found.desc;
    if (extent)
      *extent = found.extent;
    if (flags)
      *flags = found.flags;
    return cudaSuccess;
  });
}

// Only formats with several planes have any, such as NV12, which there are none of here.
cudaError_t cudaArrayGetPlane(cudaArray_t *, cudaArray_t array, unsigned) {
  return callArray(array, [](const Array &) { return cudaErrorInvalidValue; });
}

// No array is sparse or mapped later.
cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties *, cudaArray_t array) {
  return callArray(array, [](const Array &) { return cudaErrorInvalidValue; });
}

cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements *, cudaArray_t array, int) {
  return callArray(array, [](const Array &) { return cudaErrorInvalidValue; });
}

// ---- Mipmaps ------------------------------------------------------------------------------------

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmappedArray,
                                     const cudaChannelFormatDesc *desc, cudaExtent extent,
                                     unsigned numLevels, unsigned flags) {
  return callDevice([&](Device &device) {
    if (!mipmappedArray)
      return cudaErrorInvalidValue;
    std::shared_ptr<MipmappedArray> made;
    const cudaError_t error = MipmappedArray::create(device, desc, extent, numLevels, flags, made);
    *mipmappedArray = error ? nullptr : reinterpret_cast<cudaMipmappedArray_t>(made.get());
    return error;
  });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *levelArray,
                                       cudaMipmappedArray_const_t mipmappedArray, unsigned level) {
  return callMipmaps(mipmappedArray, [&](const MipmappedArray &mipmaps) {
    if (!levelArray || level >= mipmaps.levels.size())
      return cudaErrorInvalidValue;
    *levelArray = handleOf(mipmaps.levels[level].get());
    return cudaSuccess;
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray) {
  if (!mipmappedArray)
    return callDevice([](Device &) { return cudaSuccess; });
  return callMipmaps(mipmappedArray, [&](const MipmappedArray &mipmaps) {
    const cudaError_t error = mipmaps.levels[0]->device.synchronize();
    for (const auto &level : mipmaps.levels) {
      Textures::instance().forget(*level);
      Array::handles().remove(level.get());
    }
    MipmappedArray::handles().remove(mipmappedArray);
    return error;
  });
}

cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties *,
                                                  cudaMipmappedArray_t mipmap) {
  return callMipmaps(mipmap, [](const MipmappedArray &) { return cudaErrorInvalidValue; });
}

cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements *,
                                                    cudaMipmappedArray_t mipmap, int) {
  return callMipmaps(mipmap, [](const MipmappedArray &) { return cudaErrorInvalidValue; });
}
