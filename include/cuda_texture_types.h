// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// texture<T, type, mode>: a texture reference, as CUDA had it before version 12. On the device the
// compiler makes a handle of it, which binding sets. Define HEDDLE_NO_TEXTURE_REFERENCES in a
// program that has a `texture` or `surface` of its own at global scope.
#ifndef __CUDA_TEXTURE_TYPES_H__
#define __CUDA_TEXTURE_TYPES_H__

#if defined(__cplusplus) && defined(__CUDACC__) && !defined(HEDDLE_NO_TEXTURE_REFERENCES)

#include "channel_descriptor.h"
#include "texture_types.h"

#if defined(__clang__) || defined(__CUDACC_RTC__)
#define __HEDDLE_TEXTURE_TYPE __attribute__((device_builtin_texture_type))
#else
#define __HEDDLE_TEXTURE_TYPE
#endif

template <class T, int texType = cudaTextureType1D,
          enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __HEDDLE_TEXTURE_TYPE texture : public textureReference {
  texture(int norm = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
          enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(norm, filter, address, cudaCreateChannelDesc<T>()) {}
  texture(int norm, enum cudaTextureFilterMode filter, enum cudaTextureAddressMode address,
          struct cudaChannelFormatDesc desc)
      : textureReference() {
    normalized = norm;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = desc;
  }
};

#undef __HEDDLE_TEXTURE_TYPE

#endif

#endif
