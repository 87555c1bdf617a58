// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenGL as the program has it. Heddle is linked with no OpenGL and includes none of its headers:
// its functions are those of the library that made the context which is current on the calling
// thread, by EGL, GLX or OSMesa.
#pragma once

#include <cstddef>
#include <cstdint>
#include <driver_types.h>

namespace heddle::gl {

using Enum = unsigned;
using Name = unsigned;
using Size = ptrdiff_t;

// Values of OpenGL's registry, those that are used here.
constexpr Enum version_string = 0x1F02, extensions_string = 0x1F03;
constexpr Enum array_buffer = 0x8892, array_buffer_binding = 0x8894;
constexpr Enum copy_read_buffer = 0x8F36, copy_read_buffer_binding = 0x8F36;
constexpr Enum stream_draw = 0x88E0, read_only = 0x88B8, write_only = 0x88B9;
constexpr Enum map_read_bit = 1, map_write_bit = 2, map_persistent_bit = 0x40;
constexpr Enum dynamic_storage_bit = 0x100;
constexpr Enum buffer_size = 0x8764, buffer_mapped = 0x88BC;
constexpr Enum buffer_immutable_storage = 0x821F, buffer_storage_flags = 0x8220;
constexpr Enum pixel_pack_buffer = 0x88EB, pixel_pack_buffer_binding = 0x88ED;
constexpr Enum pixel_unpack_buffer = 0x88EC, pixel_unpack_buffer_binding = 0x88EF;
constexpr Enum texture_2d = 0x0DE1, texture_3d = 0x806F, texture_rectangle = 0x84F5;
constexpr Enum texture_cube_map = 0x8513, texture_2d_array = 0x8C1A, renderbuffer = 0x8D41;
constexpr Enum texture_binding_2d = 0x8069, texture_binding_3d = 0x806A;
constexpr Enum texture_binding_rectangle = 0x84F6, texture_binding_cube_map = 0x8514;
constexpr Enum texture_binding_2d_array = 0x8C1D, renderbuffer_binding = 0x8CA7;
constexpr Enum texture_cube_map_positive_x = 0x8515;
constexpr Enum texture_width = 0x1000, texture_height = 0x1001, texture_depth = 0x8071;
constexpr Enum texture_internal_format = 0x1003, texture_max_level = 0x813D;
constexpr Enum texture_min_filter = 0x2801, nearest = 0x2600;
constexpr Enum renderbuffer_width = 0x8D42, renderbuffer_height = 0x8D43;
constexpr Enum renderbuffer_internal_format = 0x8D44, renderbuffer_samples = 0x8CAB;
constexpr Enum read_framebuffer = 0x8CA8, draw_framebuffer = 0x8CA9;
constexpr Enum read_framebuffer_binding = 0x8CAA, draw_framebuffer_binding = 0x8CA6;
constexpr Enum color_attachment0 = 0x8CE0, framebuffer_complete = 0x8CD5;
constexpr Enum color_buffer_bit = 0x4000, scissor_test = 0x0C11;
constexpr Enum red = 0x1903, alpha = 0x1906, rgba = 0x1908, luminance_alpha = 0x190A;
constexpr Enum rg = 0x8227, rg_integer = 0x8228, red_integer = 0x8D94, rgba_integer = 0x8D99;
constexpr Enum type_byte = 0x1400, type_half = 0x140B; // with those between: see image_format.cpp

/// Name, result, parameters. Which of them a context has depends on its version.
#define HEDDLE_GL_FUNCTIONS(FUNCTION)                                                              \
  FUNCTION(GetString, const unsigned char *, (Enum))                                               \
  FUNCTION(GetError, Enum, ())                                                                     \
  FUNCTION(GetIntegerv, void, (Enum, int *))                                                       \
  FUNCTION(IsEnabled, unsigned char, (Enum))                                                       \
  FUNCTION(Enable, void, (Enum))                                                                   \
  FUNCTION(Disable, void, (Enum))                                                                  \
  FUNCTION(PixelStorei, void, (Enum, int))                                                         \
  FUNCTION(IsBuffer, unsigned char, (Name))                                                        \
  FUNCTION(GenBuffers, void, (int, Name *))                                                        \
  FUNCTION(DeleteBuffers, void, (int, const Name *))                                               \
  FUNCTION(BindBuffer, void, (Enum, Name))                                                         \
  FUNCTION(BufferData, void, (Enum, Size, const void *, Enum))                                     \
  FUNCTION(BufferSubData, void, (Enum, Size, Size, const void *))                                  \
  FUNCTION(GetBufferSubData, void, (Enum, Size, Size, void *))                                     \
  FUNCTION(CopyBufferSubData, void, (Enum, Enum, Size, Size, Size))                                \
  FUNCTION(GetBufferParameteriv, void, (Enum, Enum, int *))                                        \
  FUNCTION(GetBufferParameteri64v, void, (Enum, Enum, int64_t *))                                  \
  FUNCTION(MapBufferRange, void *, (Enum, Size, Size, unsigned))                                   \
  FUNCTION(UnmapBuffer, unsigned char, (Enum))                                                     \
  FUNCTION(IsTexture, unsigned char, (Name))                                                       \
  FUNCTION(GenTextures, void, (int, Name *))                                                       \
  FUNCTION(DeleteTextures, void, (int, const Name *))                                              \
  FUNCTION(BindTexture, void, (Enum, Name))                                                        \
  FUNCTION(TexParameteri, void, (Enum, Enum, int))                                                 \
  FUNCTION(GetTexParameteriv, void, (Enum, Enum, int *))                                           \
  FUNCTION(GetTexLevelParameteriv, void, (Enum, int, Enum, int *))                                 \
  FUNCTION(GetTexImage, void, (Enum, int, Enum, Enum, void *))                                     \
  FUNCTION(TexImage2D, void, (Enum, int, int, int, int, int, Enum, Enum, const void *))            \
  FUNCTION(TexSubImage2D, void, (Enum, int, int, int, int, int, Enum, Enum, const void *))         \
  FUNCTION(TexSubImage3D, void,                                                                    \
           (Enum, int, int, int, int, int, int, int, Enum, Enum, const void *))                    \
  FUNCTION(IsRenderbuffer, unsigned char, (Name))                                                  \
  FUNCTION(BindRenderbuffer, void, (Enum, Name))                                                   \
  FUNCTION(GetRenderbufferParameteriv, void, (Enum, Enum, int *))                                  \
  FUNCTION(GenFramebuffers, void, (int, Name *))                                                   \
  FUNCTION(DeleteFramebuffers, void, (int, const Name *))                                          \
  FUNCTION(BindFramebuffer, void, (Enum, Name))                                                    \
  FUNCTION(FramebufferRenderbuffer, void, (Enum, Enum, Enum, Name))                                \
  FUNCTION(FramebufferTexture2D, void, (Enum, Enum, Enum, Name, int))                              \
  FUNCTION(CheckFramebufferStatus, Enum, (Enum))                                                   \
  FUNCTION(BlitFramebuffer, void, (int, int, int, int, int, int, int, int, unsigned, Enum))        \
  FUNCTION(ReadPixels, void, (int, int, int, int, Enum, Enum, void *))

struct Functions {
#define HEDDLE_GL_POINTER(name, result, parameters) result(*name) parameters = nullptr;
  HEDDLE_GL_FUNCTIONS(HEDDLE_GL_POINTER)
#undef HEDDLE_GL_POINTER
};

/// The current context's OpenGL.
struct Context : Functions {
  bool embedded = false; // OpenGL ES
  int version = 0;       // 45: 4.5

  int integer(Enum what) const;
  bool atLeast(int desktop, int es = 1000) const { return version >= (embedded ? es : desktop); }
};

/// What is missing: cudaErrorOperatingSystem if the process has loaded no library of OpenGL (as an
/// H200 says where there is none), cudaErrorInvalidGraphicsContext if no context is current on the
/// calling thread.
cudaError_t contextError();

/// The calling thread's context, or contextError().
cudaError_t findContext(Context &context);

/// An object is bound to a target, until the end of the block.
template <void (*Functions::*bind)(Enum, Name)> class Bound {
public:
  Bound(const Context &gl, Enum target, Enum binding, Name name)
      : gl(gl), target(target), before(Name(gl.integer(binding))) {
    (gl.*bind)(target, name);
  }
  ~Bound() { (gl.*bind)(target, before); }
  Bound(const Bound &) = delete;
  Bound &operator=(const Bound &) = delete;

private:
  const Context &gl;
  const Enum target;
  const Name before;
};
using BoundBuffer = Bound<&Functions::BindBuffer>;
using BoundTexture = Bound<&Functions::BindTexture>;
using BoundRenderbuffer = Bound<&Functions::BindRenderbuffer>;
using BoundFramebuffer = Bound<&Functions::BindFramebuffer>;

} // namespace heddle::gl
