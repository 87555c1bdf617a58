// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes of surface objects (CUDA C++ Programming Guide, "Surface Functions: Surface
// Object API"). The x coordinate counts bytes. What lies outside ends the kernel
// (cudaBoundaryModeTrap), is the nearest texel, or reads as 0 and is not written.
#ifndef __SURFACE_INDIRECT_FUNCTIONS_H__
#define __SURFACE_INDIRECT_FUNCTIONS_H__

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDACC__) && defined(__CUDA__)

#include "__heddle/texture/calls.h"

#define __HEDDLE_STRIP(...) __VA_ARGS__
#define __HEDDLE_SURFACE(NAME, PARAMETERS, ARGUMENTS, PLACE)                                       \
  template <class T>                                                                               \
  __HEDDLE_DEVICE__ T NAME##read(cudaSurfaceObject_t surface, __HEDDLE_STRIP PARAMETERS,           \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
    const unsigned long long place =                                                               \
        __heddle_surface(surface, __HEDDLE_STRIP PLACE, unsigned(sizeof(T)), unsigned(mode));      \
    T value{};                                                                                     \
    if (place)                                                                                     \
      value = *(const T *)place;                                                                   \
    return value;                                                                                  \
  }                                                                                                \
  template <class T>                                                                               \
  __HEDDLE_DEVICE__ void NAME##read(T *to, cudaSurfaceObject_t surface, __HEDDLE_STRIP PARAMETERS, \
                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {         \
    *to = NAME##read<T>(surface, __HEDDLE_STRIP ARGUMENTS, mode);                                  \
  }                                                                                                \
  template <class T>                                                                               \
  __HEDDLE_DEVICE__ void NAME##write(T value, cudaSurfaceObject_t surface,                         \
                                     __HEDDLE_STRIP PARAMETERS,                                    \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {        \
    const unsigned long long place =                                                               \
        __heddle_surface(surface, __HEDDLE_STRIP PLACE, unsigned(sizeof(T)),                       \
                         unsigned(mode) | ::heddle::texture::surface_store);                       \
    if (place)                                                                                     \
      *(T *)place = value;                                                                         \
  }

// Layers and faces are unsigned: clamped, one below 0 is the last (an H200 does so).
__HEDDLE_DEVICE__ int __heddle_layer(int layer) { return layer < 0 ? 0x7fffffff : layer; }

__HEDDLE_SURFACE(surf1D, (int x), (x), (x, 0, 0))
__HEDDLE_SURFACE(surf2D, (int x, int y), (x, y), (x, y, 0))
__HEDDLE_SURFACE(surf3D, (int x, int y, int z), (x, y, z), (x, y, z))
__HEDDLE_SURFACE(surf1DLayered, (int x, int layer), (x, layer), (x, 0, __heddle_layer(layer)))
__HEDDLE_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer),
                 (x, y, __heddle_layer(layer)))
__HEDDLE_SURFACE(surfCubemap, (int x, int y, int face), (x, y, face), (x, y, __heddle_layer(face)))
__HEDDLE_SURFACE(surfCubemapLayered, (int x, int y, int layerFace), (x, y, layerFace),
                 (x, y, __heddle_layer(layerFace)))

#undef __HEDDLE_SURFACE
#undef __HEDDLE_STRIP

#endif

#endif
