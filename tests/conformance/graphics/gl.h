// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context of OpenGL without a window, by EGL, and the functions of OpenGL that the programs here
// call. Nothing of it is needed to compile and link them: a program says "skipped: …" where the
// machine has no EGL.
#pragma once

#include "check.h"

#include <cuda_gl_interop.h>
#include <dlfcn.h>

namespace gl {

constexpr unsigned array_buffer = 0x8892, array_buffer_binding = 0x8894, static_draw = 0x88E4;
constexpr unsigned pixel_pack_buffer = 0x88EB, pixel_pack_buffer_binding = 0x88ED;
constexpr unsigned pixel_unpack_buffer = 0x88EC;
constexpr unsigned texture_2d = 0x0DE1, texture_3d = 0x806F, texture_cube_map = 0x8513;
constexpr unsigned texture_2d_array = 0x8C1A, texture_binding_2d = 0x8069;
constexpr unsigned framebuffer = 0x8D40, renderbuffer = 0x8D41, color_attachment0 = 0x8CE0;
constexpr unsigned framebuffer_binding = 0x8CA6, framebuffer_complete = 0x8CD5;
constexpr unsigned rgba = 0x1908, red = 0x1903, rgba8 = 0x8058, r32f = 0x822E, r8 = 0x8229;
constexpr unsigned rgba16f = 0x881A, r32ui = 0x8236, red_integer = 0x8D94, rgb8 = 0x8051;
constexpr unsigned unsigned_byte = 0x1401, float_type = 0x1406, half_float = 0x140B;
constexpr unsigned unsigned_int = 0x1405;
constexpr unsigned pack_alignment = 0x0D05, pack_row_length = 0x0D02, unpack_skip_rows = 0x0CF3;
constexpr unsigned points = 0, triangle_strip = 5, vertex_array = 0x8074, color_array = 0x8076;
constexpr unsigned texture_coord_array = 0x8078, color_buffer_bit = 0x4000;
constexpr unsigned texture_min_filter = 0x2801, texture_mag_filter = 0x2800, nearest = 0x2600;
constexpr unsigned texture_max_level = 0x813D, scissor_test = 0x0C11;

#define GL_FUNCTIONS(FUNCTION)                                                                     \
  FUNCTION(GetError, unsigned, ())                                                                 \
  FUNCTION(GetIntegerv, void, (unsigned, int *))                                                   \
  FUNCTION(GetString, const char *, (unsigned))                                                    \
  FUNCTION(Finish, void, ())                                                                       \
  FUNCTION(GenBuffers, void, (int, unsigned *))                                                    \
  FUNCTION(DeleteBuffers, void, (int, const unsigned *))                                           \
  FUNCTION(BindBuffer, void, (unsigned, unsigned))                                                 \
  FUNCTION(BufferData, void, (unsigned, long, const void *, unsigned))                             \
  FUNCTION(BufferStorage, void, (unsigned, long, const void *, unsigned))                          \
  FUNCTION(GetBufferSubData, void, (unsigned, long, long, void *))                                 \
  FUNCTION(MapBuffer, void *, (unsigned, unsigned))                                                \
  FUNCTION(UnmapBuffer, unsigned char, (unsigned))                                                 \
  FUNCTION(GenTextures, void, (int, unsigned *))                                                   \
  FUNCTION(DeleteTextures, void, (int, const unsigned *))                                          \
  FUNCTION(BindTexture, void, (unsigned, unsigned))                                                \
  FUNCTION(TexParameteri, void, (unsigned, unsigned, int))                                         \
  FUNCTION(TexImage2D, void,                                                                       \
           (unsigned, int, int, int, int, int, unsigned, unsigned, const void *))                  \
  FUNCTION(TexImage3D, void,                                                                       \
           (unsigned, int, int, int, int, int, int, unsigned, unsigned, const void *))             \
  FUNCTION(GetTexImage, void, (unsigned, int, unsigned, unsigned, void *))                         \
  FUNCTION(PixelStorei, void, (unsigned, int))                                                     \
  FUNCTION(GenFramebuffers, void, (int, unsigned *))                                               \
  FUNCTION(BindFramebuffer, void, (unsigned, unsigned))                                            \
  FUNCTION(CheckFramebufferStatus, unsigned, (unsigned))                                           \
  FUNCTION(FramebufferRenderbuffer, void, (unsigned, unsigned, unsigned, unsigned))                \
  FUNCTION(GenRenderbuffers, void, (int, unsigned *))                                              \
  FUNCTION(BindRenderbuffer, void, (unsigned, unsigned))                                           \
  FUNCTION(RenderbufferStorage, void, (unsigned, unsigned, int, int))                              \
  FUNCTION(Viewport, void, (int, int, int, int))                                                   \
  FUNCTION(Scissor, void, (int, int, int, int))                                                    \
  FUNCTION(ClearColor, void, (float, float, float, float))                                         \
  FUNCTION(Clear, void, (unsigned))                                                                \
  FUNCTION(ReadPixels, void, (int, int, int, int, unsigned, unsigned, void *))                     \
  FUNCTION(Enable, void, (unsigned))                                                               \
  FUNCTION(Disable, void, (unsigned))                                                              \
  FUNCTION(EnableClientState, void, (unsigned))                                                    \
  FUNCTION(DisableClientState, void, (unsigned))                                                   \
  FUNCTION(VertexPointer, void, (int, unsigned, int, const void *))                                \
  FUNCTION(ColorPointer, void, (int, unsigned, int, const void *))                                 \
  FUNCTION(TexCoordPointer, void, (int, unsigned, int, const void *))                              \
  FUNCTION(DrawArrays, void, (unsigned, int, int))

#define GL_POINTER(name, result, parameters) inline result(*name) parameters = nullptr;
GL_FUNCTIONS(GL_POINTER)
#undef GL_POINTER

[[noreturn]] inline void skip(const char *why) {
  std::printf("skipped: %s\n", why);
  std::exit(0);
}

/// A context that is current on this thread; it ends with the program.
class Context {
public:
  Context() {
    void *const library = dlopen("libEGL.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library)
      skip("there is no libEGL.so.1");
    const auto address = find<void *(const char *)>(library, "eglGetProcAddress");
    const auto platform_display =
        find<void *(unsigned, void *, const long *)>(library, "eglGetPlatformDisplay");
    const auto initialize = find<unsigned(void *, int *, int *)>(library, "eglInitialize");
    const auto bind_api = find<unsigned(unsigned)>(library, "eglBindAPI");
    const auto choose =
        find<unsigned(void *, const int *, void **, int, int *)>(library, "eglChooseConfig");
    const auto create =
        find<void *(void *, void *, void *, const int *)>(library, "eglCreateContext");
    make_current = find<MakeCurrent>(library, "eglMakeCurrent");
    constexpr unsigned surfaceless = 0x31DD, opengl_api = 0x30A2;
    display = platform_display(surfaceless, nullptr, nullptr);
    if (!display || !initialize(display, nullptr, nullptr) || !bind_api(opengl_api))
      skip("EGL has no display without a window, or no OpenGL");
    const int wanted[] = {0x3033 /* surface type */, 1, 0x3040 /* renderable type */, 8, 0x3038};
    void *config = nullptr;
    int count = 0;
    if (!choose(display, wanted, &config, 1, &count) || !count)
      skip("EGL has no configuration for OpenGL");
    context = create(display, config, nullptr, nullptr);
    if (!context || !makeCurrent(true))
      skip("EGL makes no context of OpenGL");
#define GL_FIND(name, result, parameters)                                                          \
  name = reinterpret_cast<result(*) parameters>(address("gl" #name));
    GL_FUNCTIONS(GL_FIND)
#undef GL_FIND
  }
  bool makeCurrent(bool current) const {
    return make_current(display, nullptr, nullptr, current ? context : nullptr);
  }

private:
  using MakeCurrent = unsigned(void *, void *, void *, void *);
  void *display = nullptr, *context = nullptr;
  MakeCurrent *make_current = nullptr;

  template <class Function> static Function *find(void *library, const char *name) {
    auto *function = reinterpret_cast<Function *>(dlsym(library, name));
    if (!function)
      skip("EGL is older than 1.5");
    return function;
  }
};

inline int integer(unsigned what) {
  int value = 0;
  GetIntegerv(what, &value);
  return value;
}

template <class T> unsigned makeBuffer(const std::vector<T> &content) {
  unsigned buffer = 0;
  GenBuffers(1, &buffer);
  BindBuffer(array_buffer, buffer);
  BufferData(array_buffer, long(content.size() * sizeof(T)), content.data(), static_draw);
  BindBuffer(array_buffer, 0);
  return buffer;
}

template <class T> std::vector<T> readBuffer(unsigned buffer, size_t count) {
  std::vector<T> content(count);
  BindBuffer(array_buffer, buffer);
  GetBufferSubData(array_buffer, 0, long(count * sizeof(T)), content.data());
  BindBuffer(array_buffer, 0);
  return content;
}

/// A picture of 8-bit RGBA to draw into, black.
inline void makeCanvas(int width, int height) {
  unsigned canvas = 0, colors = 0;
  GenFramebuffers(1, &canvas);
  BindFramebuffer(framebuffer, canvas);
  GenRenderbuffers(1, &colors);
  BindRenderbuffer(renderbuffer, colors);
  RenderbufferStorage(renderbuffer, rgba8, width, height);
  FramebufferRenderbuffer(framebuffer, color_attachment0, renderbuffer, colors);
  CHECK_EQ(CheckFramebufferStatus(framebuffer), framebuffer_complete);
  Viewport(0, 0, width, height);
  ClearColor(0, 0, 0, 0);
  Clear(color_buffer_bit);
}

inline std::vector<uchar4> readCanvas(int width, int height) {
  std::vector<uchar4> pixels(size_t(width) * height);
  ReadPixels(0, 0, width, height, rgba, unsigned_byte, pixels.data());
  return pixels;
}

} // namespace gl
