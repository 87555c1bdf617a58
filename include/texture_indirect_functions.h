// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches from texture objects (CUDA C++ Programming Guide, "Texture Functions: Texture Object
// API"). Each function comes in the form that returns its result and in the older one that writes
// it to an address; those for arrays that may be sparse also say whether the texel is resident,
// which it is, since no array here is sparse.
#ifndef __TEXTURE_INDIRECT_FUNCTIONS_H__
#define __TEXTURE_INDIRECT_FUNCTIONS_H__

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDACC__) && defined(__CUDA__)

#include "__heddle/texture/calls.h"

// CALL has the handle as `texture` and its results as bits; `want` is the form that T is.
#define __HEDDLE_STRIP(...) __VA_ARGS__
#define __HEDDLE_FETCH(NAME, PARAMETERS, ARGUMENTS, CALL)                                          \
  template <class T>                                                                               \
  __HEDDLE_DEVICE__ T NAME(cudaTextureObject_t texture, __HEDDLE_STRIP PARAMETERS) {               \
    [[maybe_unused]] constexpr unsigned want = __heddle_texture::wanted<T>();                      \
    return __heddle_texture::__heddle_make<T>(CALL);                                               \
  }                                                                                                \
  template <class T>                                                                               \
  __HEDDLE_DEVICE__ void NAME(T *to, cudaTextureObject_t texture, __HEDDLE_STRIP PARAMETERS) {     \
    *to = NAME<T>(texture, __HEDDLE_STRIP ARGUMENTS);                                              \
  }
#define __HEDDLE_FETCH_RESIDENT(NAME, PARAMETERS, ARGUMENTS, CALL)                                 \
  __HEDDLE_FETCH(NAME, PARAMETERS, ARGUMENTS, CALL)                                                \
  template <class T>                                                                               \
  __HEDDLE_DEVICE__ T NAME(cudaTextureObject_t texture, __HEDDLE_STRIP PARAMETERS,                 \
                           bool *isResident) {                                                     \
    *isResident = true;                                                                            \
    return NAME<T>(texture, __HEDDLE_STRIP ARGUMENTS);                                             \
  }

__HEDDLE_FETCH(tex1Dfetch, (int x), (x), __heddle_tex_linear(texture, want, x))
__HEDDLE_FETCH(tex1D, (float x), (x), __heddle_tex_1d(texture, want, x))
__HEDDLE_FETCH_RESIDENT(tex2D, (float x, float y), (x, y), __heddle_tex_2d(texture, want, x, y))
__HEDDLE_FETCH_RESIDENT(tex3D, (float x, float y, float z), (x, y, z),
                        __heddle_tex_3d(texture, want, x, y, z))
__HEDDLE_FETCH(tex1DLayered, (float x, int layer), (x, layer),
               __heddle_tex_1d_layer(texture, want, x, layer))
__HEDDLE_FETCH_RESIDENT(tex2DLayered, (float x, float y, int layer), (x, y, layer),
                        __heddle_tex_2d_layer(texture, want, x, y, layer))
__HEDDLE_FETCH(texCubemap, (float x, float y, float z), (x, y, z),
               __heddle_tex_cube(texture, want, x, y, z, 0))
__HEDDLE_FETCH(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer),
               __heddle_tex_cube(texture, want, x, y, z, layer))

__HEDDLE_FETCH(tex1DLod, (float x, float level), (x, level),
               __heddle_tex_1d_level(texture, x, 0, level))
__HEDDLE_FETCH_RESIDENT(tex2DLod, (float x, float y, float level), (x, y, level),
                        __heddle_tex_2d_level(texture, x, y, 0, level))
__HEDDLE_FETCH_RESIDENT(tex3DLod, (float x, float y, float z, float level), (x, y, z, level),
                        __heddle_tex_3d_level(texture, x, y, z, level))
__HEDDLE_FETCH(tex1DLayeredLod, (float x, int layer, float level), (x, layer, level),
               __heddle_tex_1d_level(texture, x, layer, level))
__HEDDLE_FETCH_RESIDENT(tex2DLayeredLod, (float x, float y, int layer, float level),
                        (x, y, layer, level), __heddle_tex_2d_level(texture, x, y, layer, level))
__HEDDLE_FETCH(texCubemapLod, (float x, float y, float z, float level), (x, y, z, level),
               __heddle_tex_cube_level(texture, x, y, z, 0, level))
__HEDDLE_FETCH(texCubemapLayeredLod, (float x, float y, float z, int layer, float level),
               (x, y, z, layer, level), __heddle_tex_cube_level(texture, x, y, z, layer, level))

__HEDDLE_FETCH(tex1DGrad, (float x, float dPdx, float dPdy), (x, dPdx, dPdy),
               __heddle_tex_1d_grad(texture, x, 0, dPdx, dPdy))
__HEDDLE_FETCH_RESIDENT(tex2DGrad, (float x, float y, float2 dPdx, float2 dPdy), (x, y, dPdx, dPdy),
                        __heddle_tex_2d_grad(texture, x, y, 0, dPdx.x, dPdx.y, dPdy.x, dPdy.y))
__HEDDLE_FETCH_RESIDENT(tex3DGrad, (float x, float y, float z, float4 dPdx, float4 dPdy),
                        (x, y, z, dPdx, dPdy),
                        __heddle_tex_3d_grad(texture, x, y, z, dPdx.x, dPdx.y, dPdx.z, dPdy.x,
                                             dPdy.y, dPdy.z))
__HEDDLE_FETCH(tex1DLayeredGrad, (float x, int layer, float dPdx, float dPdy),
               (x, layer, dPdx, dPdy), __heddle_tex_1d_grad(texture, x, layer, dPdx, dPdy))
__HEDDLE_FETCH_RESIDENT(tex2DLayeredGrad, (float x, float y, int layer, float2 dPdx, float2 dPdy),
                        (x, y, layer, dPdx, dPdy),
                        __heddle_tex_2d_grad(texture, x, y, layer, dPdx.x, dPdx.y, dPdy.x, dPdy.y))
__HEDDLE_FETCH(texCubemapGrad, (float x, float y, float z, float4 dPdx, float4 dPdy),
               (x, y, z, dPdx, dPdy),
               __heddle_tex_cube_grad(texture, x, y, z, 0, dPdx.x, dPdx.y, dPdx.z, dPdy.x, dPdy.y,
                                      dPdy.z))
__HEDDLE_FETCH(texCubemapLayeredGrad,
               (float x, float y, float z, int layer, float4 dPdx, float4 dPdy),
               (x, y, z, layer, dPdx, dPdy),
               __heddle_tex_cube_grad(texture, x, y, z, layer, dPdx.x, dPdx.y, dPdx.z, dPdy.x,
                                      dPdy.y, dPdy.z))

#undef __HEDDLE_FETCH_RESIDENT
#undef __HEDDLE_FETCH
#undef __HEDDLE_STRIP

// One channel of the four texels that linear filtering would look at.
template <class T>
__HEDDLE_DEVICE__ T tex2Dgather(cudaTextureObject_t texture, float x, float y, int comp = 0) {
  constexpr unsigned want = __heddle_texture::wanted<T>();
  return __heddle_texture::__heddle_make<T>(__heddle_tex_gather(texture, want, x, y, comp));
}
template <class T>
__HEDDLE_DEVICE__ T tex2Dgather(cudaTextureObject_t texture, float x, float y, bool *isResident,
                                int comp = 0) {
  *isResident = true;
  return tex2Dgather<T>(texture, x, y, comp);
}
template <class T>
__HEDDLE_DEVICE__ void tex2Dgather(T *to, cudaTextureObject_t texture, float x, float y,
                                   int comp = 0) {
  *to = tex2Dgather<T>(texture, x, y, comp);
}

#endif

#endif
