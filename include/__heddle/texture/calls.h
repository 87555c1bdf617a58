// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device library's texture and surface functions, and how texels become what a program asked
// for. texture_indirect_functions.h and its kin are written with these.
//
// A fetch returns four channels as bits: of floats, or of integers extended to 32 bits. What the
// texture lacks is 0, alpha 1 (as hardware returns it). `want` is the form (descriptor.h) of what
// the program asked for; the library's short ways are for textures of just that form.
#pragma once

#include <__heddle/define.h>
#include <__heddle/texture/descriptor.h>

struct __heddle_texels {
  unsigned bits[4];
};

extern "C" {
__attribute__((device)) __heddle_texels __heddle_tex_linear(unsigned long long handle,
                                                            unsigned want, int x);
__attribute__((device)) __heddle_texels __heddle_tex_1d(unsigned long long handle, unsigned want,
                                                        float x);
__attribute__((device)) __heddle_texels __heddle_tex_2d(unsigned long long handle, unsigned want,
                                                        float x, float y);
__attribute__((device)) __heddle_texels __heddle_tex_3d(unsigned long long handle, unsigned want,
                                                        float x, float y, float z);
__attribute__((device)) __heddle_texels __heddle_tex_1d_layer(unsigned long long handle,
                                                              unsigned want, float x, int layer);
__attribute__((device)) __heddle_texels __heddle_tex_2d_layer(unsigned long long handle,
                                                              unsigned want, float x, float y,
                                                              int layer);
__attribute__((device)) __heddle_texels __heddle_tex_cube(unsigned long long handle, unsigned want,
                                                          float x, float y, float z, int layer);
__attribute__((device)) __heddle_texels __heddle_tex_gather(unsigned long long handle,
                                                            unsigned want, float x, float y,
                                                            int channel);
// With a level of detail.
__attribute__((device)) __heddle_texels __heddle_tex_1d_level(unsigned long long handle, float x,
                                                              int layer, float level);
__attribute__((device)) __heddle_texels __heddle_tex_2d_level(unsigned long long handle, float x,
                                                              float y, int layer, float level);
__attribute__((device)) __heddle_texels __heddle_tex_3d_level(unsigned long long handle, float x,
                                                              float y, float z, float level);
__attribute__((device)) __heddle_texels __heddle_tex_cube_level(unsigned long long handle, float x,
                                                                float y, float z, int layer,
                                                                float level);
// With derivatives.
__attribute__((device)) __heddle_texels __heddle_tex_1d_grad(unsigned long long handle, float x,
                                                             int layer, float dx, float dy);
__attribute__((device)) __heddle_texels __heddle_tex_2d_grad(unsigned long long handle, float x,
                                                             float y, int layer, float dxx,
                                                             float dxy, float dyx, float dyy);
__attribute__((device)) __heddle_texels __heddle_tex_3d_grad(unsigned long long handle, float x,
                                                             float y, float z, float dxx, float dxy,
                                                             float dxz, float dyx, float dyy,
                                                             float dyz);
__attribute__((device)) __heddle_texels __heddle_tex_cube_grad(unsigned long long handle, float x,
                                                               float y, float z, int layer,
                                                               float dxx, float dxy, float dxz,
                                                               float dyx, float dyy, float dyz);
/// Where the bytes of a surface access lie; 0 where there are none (reads give 0, writes nothing).
/// `mode`: what lies outside, and what is done (surface_store, …).
__attribute__((device)) unsigned long long __heddle_surface(unsigned long long handle, int x, int y,
                                                            int z, unsigned bytes, unsigned mode);
}

#define __HEDDLE_HELPER static __inline__ __attribute__((always_inline, device))

namespace __heddle_texture {

using ::heddle::texture::Channel;

// What a program may ask for: the type of a channel and how many there are.
template <class Type, int Count> struct of_channels {
  using channel = Type;
  static constexpr int count = Count;
};
template <class Type> struct texel_type;
#define __HEDDLE_TEXEL_SCALAR(TYPE)                                                                \
  template <> struct texel_type<TYPE> : of_channels<TYPE, 1> {};
#define __HEDDLE_TEXEL(NAME, TYPE)                                                                 \
  __HEDDLE_TEXEL_SCALAR(TYPE)                                                                      \
  __HEDDLE_TEXEL_VECTORS(NAME, TYPE)
#define __HEDDLE_TEXEL_VECTORS(NAME, TYPE)                                                         \
  template <> struct texel_type<NAME##1> : of_channels<TYPE, 1> {};                                \
  template <> struct texel_type<NAME##2> : of_channels<TYPE, 2> {};                                \
  template <> struct texel_type<NAME##3> : of_channels<TYPE, 3> {};                                \
  template <> struct texel_type<NAME##4> : of_channels<TYPE, 4> {};
__HEDDLE_TEXEL_SCALAR(char)
__HEDDLE_TEXEL(char, signed char)
__HEDDLE_TEXEL(uchar, unsigned char)
__HEDDLE_TEXEL(short, short)
__HEDDLE_TEXEL(ushort, unsigned short)
__HEDDLE_TEXEL(int, int)
__HEDDLE_TEXEL(uint, unsigned)
__HEDDLE_TEXEL(float, float)
__HEDDLE_TEXEL_SCALAR(long)
__HEDDLE_TEXEL_SCALAR(unsigned long)
#undef __HEDDLE_TEXEL
#undef __HEDDLE_TEXEL_VECTORS
#undef __HEDDLE_TEXEL_SCALAR

template <class Channel> __HEDDLE_HELPER Channel __heddle_channel(unsigned bits) {
  return Channel(bits);
}
template <>
__inline__ __attribute__((always_inline, device)) float __heddle_channel<float>(unsigned bits) {
  return __builtin_bit_cast(float, bits);
}

template <class Type, bool Scalar> struct maker {
  static __attribute__((device)) Type __heddle_of(const __heddle_texels &texels) {
    using channel = typename texel_type<Type>::channel;
    constexpr int count = texel_type<Type>::count;
    Type result;
    result.x = __heddle_channel<channel>(texels.bits[0]);
    if constexpr (count > 1)
      result.y = __heddle_channel<channel>(texels.bits[1]);
    if constexpr (count > 2)
      result.z = __heddle_channel<channel>(texels.bits[2]);
    if constexpr (count > 3)
      result.w = __heddle_channel<channel>(texels.bits[3]);
    return result;
  }
};
template <class Type> struct maker<Type, true> {
  static __attribute__((device)) Type __heddle_of(const __heddle_texels &texels) {
    return Type(__heddle_channel<typename texel_type<Type>::channel>(texels.bits[0]));
  }
};

template <class Type> __HEDDLE_HELPER Type __heddle_make(const __heddle_texels &texels) {
  return maker<Type, !__is_class(Type)>::__heddle_of(texels);
}

/// The form of texels that `Type` holds as they are.
template <class Type> constexpr unsigned wanted() {
  using channel = typename texel_type<Type>::channel;
  constexpr bool is_float = __is_same(channel, float);
  constexpr Channel kind = is_float                   ? Channel::Float
                           : channel(-1) < channel(0) ? Channel::Signed
                                                      : Channel::Unsigned;
  return ::heddle::texture::form(kind, 8 * unsigned(sizeof(channel)),
                                 unsigned(texel_type<Type>::count), false);
}

/// The handle behind a texture or surface reference: the compiler makes a number of the reference.
template <class Reference>
__HEDDLE_HELPER unsigned long long __heddle_handle(const Reference &reference) {
  unsigned long long handle;
  __builtin_memcpy(&handle, &reference, sizeof handle);
  return handle;
}

} // namespace __heddle_texture

#undef __HEDDLE_HELPER
