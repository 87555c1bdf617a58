// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graphics/texels.h"

namespace heddle::gl {
namespace {

/// A framebuffer of our own, bound to be read or drawn to until the end of the block.
class Framebuffer {
public:
  Framebuffer(const Context &gl, Enum target)
      : gl(gl), target(target), name(make(gl)),
        bound(gl, target,
              target == read_framebuffer ? read_framebuffer_binding : draw_framebuffer_binding,
              name) {}
  ~Framebuffer() { gl.DeleteFramebuffers(1, &name); }

  void attachRenderbuffer(Name renderbuffer_name) const {
    gl.FramebufferRenderbuffer(target, color_attachment0, renderbuffer, renderbuffer_name);
  }
  void attachTexture(Name texture) const {
    gl.FramebufferTexture2D(target, color_attachment0, texture_2d, texture, 0);
  }
  bool complete() const { return gl.CheckFramebufferStatus(target) == framebuffer_complete; }

private:
  const Context &gl;
  const Enum target;
  const Name name;
  const BoundFramebuffer bound;

  static Name make(const Context &gl) {
    Name name = 0;
    gl.GenFramebuffers(1, &name);
    return name;
  }
};

} // namespace

cudaError_t describeRenderbuffer(const Context &gl, Name name, ImageShape &shape) {
  if (!gl.atLeast(30) || !gl.IsRenderbuffer(name))
    return cudaErrorInvalidResourceHandle;
  int width = 0, height = 0, internal = 0, samples = 0;
  {
    const BoundRenderbuffer bound(gl, renderbuffer, renderbuffer_binding, name);
    gl.GetRenderbufferParameteriv(renderbuffer, renderbuffer_width, &width);
    gl.GetRenderbufferParameteriv(renderbuffer, renderbuffer_height, &height);
    gl.GetRenderbufferParameteriv(renderbuffer, renderbuffer_internal_format, &internal);
    gl.GetRenderbufferParameteriv(renderbuffer, renderbuffer_samples, &samples);
  }
  const std::optional<ImageFormat> format = imageFormat(Enum(internal));
  if (!format || width <= 0 || height <= 0 || samples > 0)
    return cudaErrorInvalidValue;
  shape = {Enum(internal), *format, {size_t(width), size_t(height), 0}, 1, 0};
  const Framebuffer framebuffer(gl, read_framebuffer);
  framebuffer.attachRenderbuffer(name);
  return framebuffer.complete() ? cudaSuccess : cudaErrorInvalidValue;
}

void readRenderbuffer(const Context &gl, Name name, const ImageShape &shape, void *texels) {
  const Framebuffer framebuffer(gl, read_framebuffer);
  framebuffer.attachRenderbuffer(name);
  gl.ReadPixels(0, 0, int(shape.extent.width), int(shape.extent.height), shape.format.format,
                shape.format.type, texels);
}

void writeRenderbuffer(const Context &gl, Name name, const ImageShape &shape, const void *texels) {
  const auto width = int(shape.extent.width), height = int(shape.extent.height);
  Name texture = 0;
  gl.GenTextures(1, &texture);
  {
    const BoundTexture bound(gl, texture_2d, texture_binding_2d, texture);
    gl.TexParameteri(texture_2d, texture_max_level, 0);
    gl.TexImage2D(texture_2d, 0, int(shape.internal), width, height, 0, shape.format.format,
                  shape.format.type, texels);
    const Framebuffer from(gl, read_framebuffer), to(gl, draw_framebuffer);
    from.attachTexture(texture);
    to.attachRenderbuffer(name);
    const bool scissors = gl.IsEnabled(scissor_test);
    gl.Disable(scissor_test);
    gl.BlitFramebuffer(0, 0, width, height, 0, 0, width, height, color_buffer_bit, nearest);
    if (scissors)
      gl.Enable(scissor_test);
  }
  gl.DeleteTextures(1, &texture);
}

} // namespace heddle::gl
