// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes of surface references (CUDA C++ Programming Guide 11, "Surface Functions:
// Surface Reference API"). CUDA 12 has no references any more, but older programs do.
#ifndef __SURFACE_FUNCTIONS_H__
#define __SURFACE_FUNCTIONS_H__

#include "cuda_runtime.h"
#include "cuda_surface_types.h"

#if defined(__cplusplus) && defined(__CUDACC__) && defined(__CUDA__) &&                            \
    !defined(HEDDLE_NO_TEXTURE_REFERENCES)

#include "__heddle/texture/calls.h"
#include "surface_indirect_functions.h"

#define __HEDDLE_STRIP(...) __VA_ARGS__
#define __HEDDLE_SURFACE(NAME, KIND, PARAMETERS, ARGUMENTS)                                        \
  template <class T, class Element>                                                                \
  __HEDDLE_DEVICE__ T NAME##read(surface<Element, cudaSurfaceType##KIND> reference,                \
                                 __HEDDLE_STRIP PARAMETERS,                                        \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
    return NAME##read<T>(cudaSurfaceObject_t(__heddle_texture::__heddle_handle(reference)),        \
                         __HEDDLE_STRIP ARGUMENTS, mode);                                          \
  }                                                                                                \
  template <class T, class Element>                                                                \
  __HEDDLE_DEVICE__ void NAME##read(T *to, surface<Element, cudaSurfaceType##KIND> reference,      \
                                    __HEDDLE_STRIP PARAMETERS,                                     \
                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {         \
    *to = NAME##read<T>(cudaSurfaceObject_t(__heddle_texture::__heddle_handle(reference)),         \
                        __HEDDLE_STRIP ARGUMENTS, mode);                                           \
  }                                                                                                \
  template <class T, class Element>                                                                \
  __HEDDLE_DEVICE__ void NAME##write(T value, surface<Element, cudaSurfaceType##KIND> reference,   \
                                     __HEDDLE_STRIP PARAMETERS,                                    \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {        \
    NAME##write<T>(value, cudaSurfaceObject_t(__heddle_texture::__heddle_handle(reference)),       \
                   __HEDDLE_STRIP ARGUMENTS, mode);                                                \
  }

__HEDDLE_SURFACE(surf1D, 1D, (int x), (x))
__HEDDLE_SURFACE(surf2D, 2D, (int x, int y), (x, y))
__HEDDLE_SURFACE(surf3D, 3D, (int x, int y, int z), (x, y, z))
__HEDDLE_SURFACE(surf1DLayered, 1DLayered, (int x, int layer), (x, layer))
__HEDDLE_SURFACE(surf2DLayered, 2DLayered, (int x, int y, int layer), (x, y, layer))
__HEDDLE_SURFACE(surfCubemap, Cubemap, (int x, int y, int face), (x, y, face))
__HEDDLE_SURFACE(surfCubemapLayered, CubemapLayered, (int x, int y, int layerFace),
                 (x, y, layerFace))

#undef __HEDDLE_SURFACE
#undef __HEDDLE_STRIP

#endif

#endif
