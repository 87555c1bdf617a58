// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenGL's textures and renderbuffers as resources: mipmapped arrays.
#pragma once

#include "device/graphics/resource.h"
#include "device/graphics/texels.h"

#include <map>

namespace heddle {

class GraphicsImage final : public GraphicsResource {
public:
  /// `flags`: cudaGraphicsRegisterFlags.
  GraphicsImage(Device &device, const gl::ImageName &image, unsigned flags);
  ~GraphicsImage() override;
  cudaError_t prepare(const gl::Context &gl) override;

private:
  const gl::ImageName image;
  const unsigned array_flags;
  gl::ImageShape shape;
  std::shared_ptr<MipmappedArray> content;
  std::map<std::pair<unsigned, unsigned>, std::shared_ptr<Array>> slices; // by index and level

  void release();
  cudaError_t load(const gl::Context &gl, DeviceStream &stream) override;
  cudaError_t store(const gl::Context &gl, DeviceStream &stream) override;
  MipmappedArray *arrays() override { return content.get(); }
  std::shared_ptr<Array> slice(unsigned index, unsigned level) override;
};

} // namespace heddle
