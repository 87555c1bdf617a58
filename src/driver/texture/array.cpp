// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays and mipmapped arrays: the runtime's. Those that were made with the older functions have no
// dimension of 0 that they do not use.
#include "device/texture/array.h"
#include "driver/texture/formats.h"

using namespace heddle;
using namespace heddle::driver;

namespace {

constexpr unsigned known_flags = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST |
                                 CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_TEXTURE_GATHER |
                                 CUDA_ARRAY3D_DEPTH_TEXTURE | CUDA_ARRAY3D_COLOR_ATTACHMENT |
                                 CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING;

/// The flags that the runtime has have the same values.
static_assert(CUDA_ARRAY3D_LAYERED == cudaArrayLayered &&
              CUDA_ARRAY3D_SURFACE_LDST == cudaArraySurfaceLoadStore &&
              CUDA_ARRAY3D_CUBEMAP == cudaArrayCubemap &&
              CUDA_ARRAY3D_TEXTURE_GATHER == cudaArrayTextureGather);

template <class Make> CUresult make(const CUDA_ARRAY3D_DESCRIPTOR *descriptor, Make make) {
  return callContext([&](Context &) -> CUresult {
    cudaChannelFormatDesc desc;
    if (!descriptor || (descriptor->Flags & ~known_flags) || !descriptor->Width)
      return CUDA_ERROR_INVALID_VALUE;
    if (!channelFormat(descriptor->Format, descriptor->NumChannels, desc))
      return unsigned(descriptor->Format) > CU_AD_FORMAT_FLOAT
                 ? notSupported("compressed, planar and normalised formats of arrays")
                 : CUDA_ERROR_INVALID_VALUE;
    if (descriptor->Flags & (CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING))
      return notSupported("sparse arrays");
    return result(make(desc, cudaExtent{descriptor->Width, descriptor->Height, descriptor->Depth}));
  });
}

CUresult makeArray(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *descriptor) {
  return make(descriptor, [&](const cudaChannelFormatDesc &desc, cudaExtent extent) {
    return array ? cudaMalloc3DArray(as<cudaArray_t>(array), &desc, extent, descriptor->Flags)
                 : cudaErrorInvalidValue;
  });
}

CUresult describe(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray array) {
  return callContext([&](Context &) -> CUresult {
    cudaChannelFormatDesc desc;
    cudaExtent extent;
    unsigned flags = 0;
    std::shared_ptr<Array> found;
    if (!descriptor)
      return CUDA_ERROR_INVALID_VALUE;
    if (Array::find(runtimeArray(array), found) != cudaSuccess)
      return CUDA_ERROR_INVALID_HANDLE;
    if (const cudaError_t error = cudaArrayGetInfo(&desc, &extent, &flags, runtimeArray(array)))
      return result(error);
    *descriptor = {extent.width, extent.height, extent.depth, CUarray_format(0), 0, flags};
    descriptor->Format = arrayFormat(desc, descriptor->NumChannels);
    return CUDA_SUCCESS;
  });
}

template <class Body> CUresult callArray(CUarray array, Body body) {
  return callContext([&]() -> CUresult {
    std::shared_ptr<Array> found;
    return Array::find(runtimeArray(array), found) == cudaSuccess ? result(body())
                                                                  : CUDA_ERROR_INVALID_HANDLE;
  });
}

template <class Body> CUresult callMipmaps(CUmipmappedArray mipmaps, Body body) {
  return callContext([&]() -> CUresult {
    std::shared_ptr<MipmappedArray> found;
    return MipmappedArray::find(runtimeMipmaps(mipmaps), found) == cudaSuccess
               ? result(body())
               : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult invalid() { return CUDA_ERROR_INVALID_VALUE; }

} // namespace

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *descriptor) {
  if (!descriptor)
    return makeArray(array, nullptr);
  const CUDA_ARRAY3D_DESCRIPTOR whole = {descriptor->Width,  descriptor->Height,      0,
                                         descriptor->Format, descriptor->NumChannels, 0};
  return makeArray(array, &whole);
}
HEDDLE_OLDER_NAME("cuArrayCreate", "cuArrayCreate_v2")

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR whole;
  if (const CUresult error = describe(descriptor ? &whole : nullptr, array))
    return error;
  *descriptor = {whole.Width, whole.Height, whole.Format, whole.NumChannels};
  return CUDA_SUCCESS;
}
HEDDLE_OLDER_NAME("cuArrayGetDescriptor", "cuArrayGetDescriptor_v2")

CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *descriptor) {
  return makeArray(array, descriptor);
}
HEDDLE_OLDER_NAME("cuArray3DCreate", "cuArray3DCreate_v2")

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray array) {
  return describe(descriptor, array);
}
HEDDLE_OLDER_NAME("cuArray3DGetDescriptor", "cuArray3DGetDescriptor_v2")

CUresult cuArrayDestroy(CUarray array) {
  return callArray(array, [&] { return cudaFreeArray(runtimeArray(array)); });
}

// No array is sparse, mapped later, or of several planes.
CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *, CUarray) {
  return callContext(invalid);
}
CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *, CUmipmappedArray) {
  return callContext(invalid);
}
CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *, CUarray, CUdevice) {
  return callContext(invalid);
}
CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *, CUmipmappedArray,
                                               CUdevice) {
  return callContext(invalid);
}
CUresult cuArrayGetPlane(CUarray *, CUarray array, unsigned) { return callArray(array, invalid); }

// ---- Mipmaps ------------------------------------------------------------------------------------

CUresult cuMipmappedArrayCreate(CUmipmappedArray *mipmap, const CUDA_ARRAY3D_DESCRIPTOR *descriptor,
                                unsigned levels) {
  return make(descriptor, [&](const cudaChannelFormatDesc &desc, cudaExtent extent) {
    return mipmap ? cudaMallocMipmappedArray(as<cudaMipmappedArray_t>(mipmap), &desc, extent,
                                             levels, descriptor->Flags)
                  : cudaErrorInvalidValue;
  });
}

CUresult cuMipmappedArrayGetLevel(CUarray *array, CUmipmappedArray mipmap, unsigned level) {
  return callMipmaps(mipmap, [&] {
    return cudaGetMipmappedArrayLevel(as<cudaArray_t>(array), runtimeMipmaps(mipmap), level);
  });
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray mipmap) {
  return callMipmaps(mipmap, [&] { return cudaFreeMipmappedArray(runtimeMipmaps(mipmap)); });
}
