// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches from texture references (CUDA C++ Programming Guide 11, "Texture Functions: Texture
// Reference API"). CUDA 12 has no references any more, but many programs do.
#ifndef __TEXTURE_FETCH_FUNCTIONS_H__
#define __TEXTURE_FETCH_FUNCTIONS_H__

#include "cuda_runtime.h"
#include "cuda_texture_types.h"

#if defined(__cplusplus) && defined(__CUDACC__) && defined(__CUDA__) &&                            \
    !defined(HEDDLE_NO_TEXTURE_REFERENCES)

#include "__heddle/texture/calls.h"
#include "texture_indirect_functions.h"

namespace __heddle_texture {

/// What a fetch from texture<Type, …, mode> returns: Type itself, or as many floats.
template <class Type, cudaTextureReadMode mode> struct fetched {
  using type = Type;
};
template <int Count> struct floats;
template <> struct floats<1> {
  using scalar = float;
  using vector = float1;
};
template <> struct floats<2> {
  using vector = float2;
};
template <> struct floats<3> {
  using vector = float3;
};
template <> struct floats<4> {
  using vector = float4;
};
template <bool Scalar, class Type> struct normalized_type {
  using type = typename floats<texel_type<Type>::count>::vector;
};
template <class Type> struct normalized_type<true, Type> {
  using type = float;
};
template <class Type> struct fetched<Type, cudaReadModeNormalizedFloat> {
  using type = typename normalized_type<!__is_class(Type), Type>::type;
};
template <class Type, cudaTextureReadMode mode>
using fetched_t = typename fetched<Type, mode>::type;

} // namespace __heddle_texture

#define __HEDDLE_STRIP(...) __VA_ARGS__
#define __HEDDLE_FETCH(NAME, KIND, PARAMETERS, ARGUMENTS)                                          \
  template <class T, cudaTextureReadMode mode>                                                     \
  __HEDDLE_DEVICE__ __heddle_texture::fetched_t<T, mode> NAME(                                     \
      texture<T, cudaTextureType##KIND, mode> reference, __HEDDLE_STRIP PARAMETERS) {              \
    return NAME<__heddle_texture::fetched_t<T, mode>>(                                             \
        cudaTextureObject_t(__heddle_texture::__heddle_handle(reference)),                         \
        __HEDDLE_STRIP ARGUMENTS);                                                                 \
  }

__HEDDLE_FETCH(tex1Dfetch, 1D, (int x), (x))
__HEDDLE_FETCH(tex1D, 1D, (float x), (x))
__HEDDLE_FETCH(tex2D, 2D, (float x, float y), (x, y))
__HEDDLE_FETCH(tex3D, 3D, (float x, float y, float z), (x, y, z))
__HEDDLE_FETCH(tex1DLayered, 1DLayered, (float x, int layer), (x, layer))
__HEDDLE_FETCH(tex2DLayered, 2DLayered, (float x, float y, int layer), (x, y, layer))
__HEDDLE_FETCH(texCubemap, Cubemap, (float x, float y, float z), (x, y, z))
__HEDDLE_FETCH(texCubemapLayered, CubemapLayered, (float x, float y, float z, int layer),
               (x, y, z, layer))

__HEDDLE_FETCH(tex1DLod, 1D, (float x, float level), (x, level))
__HEDDLE_FETCH(tex2DLod, 2D, (float x, float y, float level), (x, y, level))
__HEDDLE_FETCH(tex3DLod, 3D, (float x, float y, float z, float level), (x, y, z, level))
__HEDDLE_FETCH(tex1DLayeredLod, 1DLayered, (float x, int layer, float level), (x, layer, level))
__HEDDLE_FETCH(tex2DLayeredLod, 2DLayered, (float x, float y, int layer, float level),
               (x, y, layer, level))
__HEDDLE_FETCH(texCubemapLod, Cubemap, (float x, float y, float z, float level), (x, y, z, level))
__HEDDLE_FETCH(texCubemapLayeredLod, CubemapLayered,
               (float x, float y, float z, int layer, float level), (x, y, z, layer, level))

__HEDDLE_FETCH(tex1DGrad, 1D, (float x, float dPdx, float dPdy), (x, dPdx, dPdy))
__HEDDLE_FETCH(tex2DGrad, 2D, (float x, float y, float2 dPdx, float2 dPdy), (x, y, dPdx, dPdy))
__HEDDLE_FETCH(tex3DGrad, 3D, (float x, float y, float z, float4 dPdx, float4 dPdy),
               (x, y, z, dPdx, dPdy))
__HEDDLE_FETCH(tex1DLayeredGrad, 1DLayered, (float x, int layer, float dPdx, float dPdy),
               (x, layer, dPdx, dPdy))
__HEDDLE_FETCH(tex2DLayeredGrad, 2DLayered, (float x, float y, int layer, float2 dPdx, float2 dPdy),
               (x, y, layer, dPdx, dPdy))
__HEDDLE_FETCH(texCubemapGrad, Cubemap, (float x, float y, float z, float4 dPdx, float4 dPdy),
               (x, y, z, dPdx, dPdy))
__HEDDLE_FETCH(texCubemapLayeredGrad, CubemapLayered,
               (float x, float y, float z, int layer, float4 dPdx, float4 dPdy),
               (x, y, z, layer, dPdx, dPdy))

#undef __HEDDLE_FETCH
#undef __HEDDLE_STRIP

namespace __heddle_texture {
/// Four texels' worth of one channel.
template <class Channel> struct four;
template <> struct four<signed char> {
  using type = char4;
};
template <> struct four<char> {
  using type = char4;
};
template <> struct four<unsigned char> {
  using type = uchar4;
};
template <> struct four<short> {
  using type = short4;
};
template <> struct four<unsigned short> {
  using type = ushort4;
};
template <> struct four<int> {
  using type = int4;
};
template <> struct four<unsigned> {
  using type = uint4;
};
template <> struct four<float> {
  using type = float4;
};
} // namespace __heddle_texture

template <class T, cudaTextureReadMode mode>
__HEDDLE_DEVICE__ auto tex2Dgather(texture<T, cudaTextureType2D, mode> reference, float x, float y,
                                   int comp = 0) ->
    typename __heddle_texture::four<typename __heddle_texture::texel_type<
        __heddle_texture::fetched_t<T, mode>>::channel>::type {
  using result = typename __heddle_texture::four<
      typename __heddle_texture::texel_type<__heddle_texture::fetched_t<T, mode>>::channel>::type;
  return tex2Dgather<result>(cudaTextureObject_t(__heddle_texture::__heddle_handle(reference)), x,
                             y, comp);
}

#endif

#endif
