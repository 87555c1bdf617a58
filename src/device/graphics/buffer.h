// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenGL's buffer objects as resources: linear memory.
#pragma once

#include "device/graphics/resource.h"

namespace heddle {

class GraphicsBuffer final : public GraphicsResource {
public:
  GraphicsBuffer(Device &device, gl::Name name, unsigned flags)
      : GraphicsResource(device, flags), name(name) {}
  ~GraphicsBuffer() override;
  cudaError_t prepare(const gl::Context &gl) override;

private:
  const gl::Name name;
  void *base = nullptr;
  uint64_t allocation = 0; // its number
  size_t bytes = 0;

  void release();
  cudaError_t load(const gl::Context &gl, DeviceStream &stream) override;
  cudaError_t store(const gl::Context &gl, DeviceStream &stream) override;
  bool memory(void *&address, size_t &size) override;
};

} // namespace heddle
