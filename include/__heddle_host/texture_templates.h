// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The typed C++ forms of the functions that bind texture and surface references.
#ifndef HEDDLE_HOST_TEXTURE_TEMPLATES_H
#define HEDDLE_HOST_TEXTURE_TEMPLATES_H

#include "../cuda_surface_types.h"
#include "../cuda_texture_types.h"

#ifndef HEDDLE_NO_TEXTURE_REFERENCES

template <class T, int dim, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, dim, mode> &tex,
                                          const void *devPtr, const cudaChannelFormatDesc &desc,
                                          size_t size = UINT_MAX) {
  return ::cudaBindTexture(offset, (const textureReference *)&tex, devPtr, &desc, size);
}

template <class T, int dim, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, dim, mode> &tex,
                                          const void *devPtr, size_t size = UINT_MAX) {
  return cudaBindTexture(offset, tex, devPtr, tex.channelDesc, size);
}

template <class T, int dim, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &tex,
                                            const void *devPtr, const cudaChannelFormatDesc &desc,
                                            size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, (const textureReference *)&tex, devPtr, &desc, width, height,
                             pitch);
}

template <class T, int dim, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, dim, mode> &tex,
                                            const void *devPtr, size_t width, size_t height,
                                            size_t pitch) {
  return cudaBindTexture2D(offset, tex, devPtr, tex.channelDesc, width, height, pitch);
}

template <class T, int dim, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, dim, mode> &tex,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &desc) {
  return ::cudaBindTextureToArray((const textureReference *)&tex, array, &desc);
}

template <class T, int dim, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, dim, mode> &tex,
                                                 cudaArray_const_t array) {
  cudaChannelFormatDesc desc;
  const cudaError_t error = ::cudaGetChannelDesc(&desc, array);
  return error == cudaSuccess ? cudaBindTextureToArray(tex, array, desc) : error;
}

template <class T, int dim, enum cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToMipmappedArray(const texture<T, dim, mode> &tex,
                                                          cudaMipmappedArray_const_t mipmappedArray,
                                                          const cudaChannelFormatDesc &desc) {
  return ::cudaBindTextureToMipmappedArray((const textureReference *)&tex, mipmappedArray, &desc);
}

template <class T, int dim, enum cudaTextureReadMode mode>
static inline cudaError_t
cudaBindTextureToMipmappedArray(const texture<T, dim, mode> &tex,
                                cudaMipmappedArray_const_t mipmappedArray) {
  cudaArray_t first;
  cudaError_t error = ::cudaGetMipmappedArrayLevel(&first, mipmappedArray, 0);
  cudaChannelFormatDesc desc;
  if (error == cudaSuccess)
    error = ::cudaGetChannelDesc(&desc, first);
  return error == cudaSuccess ? cudaBindTextureToMipmappedArray(tex, mipmappedArray, desc) : error;
}

template <class T, int dim, enum cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const texture<T, dim, mode> &tex) {
  return ::cudaUnbindTexture((const textureReference *)&tex);
}

template <class T, int dim, enum cudaTextureReadMode mode>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t *offset,
                                                        const texture<T, dim, mode> &tex) {
  return ::cudaGetTextureAlignmentOffset(offset, (const textureReference *)&tex);
}

template <class T, int dim>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, dim> &surf,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &desc) {
  return ::cudaBindSurfaceToArray((const surfaceReference *)&surf, array, &desc);
}

template <class T, int dim>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, dim> &surf,
                                                 cudaArray_const_t array) {
  cudaChannelFormatDesc desc;
  const cudaError_t error = ::cudaGetChannelDesc(&desc, array);
  return error == cudaSuccess ? cudaBindSurfaceToArray(surf, array, desc) : error;
}

#endif

#endif
