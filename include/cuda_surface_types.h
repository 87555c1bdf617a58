// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// surface<T, type>: a surface reference, as CUDA had it before version 12 (see
// cuda_texture_types.h).
#ifndef __CUDA_SURFACE_TYPES_H__
#define __CUDA_SURFACE_TYPES_H__

#if defined(__cplusplus) && defined(__CUDACC__) && !defined(HEDDLE_NO_TEXTURE_REFERENCES)

#include "channel_descriptor.h"
#include "surface_types.h"

#if defined(__clang__) || defined(__CUDACC_RTC__)
#define __HEDDLE_SURFACE_TYPE __attribute__((device_builtin_surface_type))
#else
#define __HEDDLE_SURFACE_TYPE
#endif

// Clang wants to see the attribute on the general template and its specialisation.
template <class T, int dim = 1> struct __HEDDLE_SURFACE_TYPE surface : public surfaceReference {
  surface() : surfaceReference() { channelDesc = cudaCreateChannelDesc<T>(); }
};
template <int dim> struct __HEDDLE_SURFACE_TYPE surface<void, dim> : public surfaceReference {
  surface() : surfaceReference() {}
};

#undef __HEDDLE_SURFACE_TYPE

#endif

#endif
