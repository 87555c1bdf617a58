// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of OpenGL that kernels read and write (CUDA C++ Programming Guide, "OpenGL
// Interoperability").
//
// A device's memory is the host's, and so is what OpenGL gives of an object, by whatever means it
// renders. So a resource has memory of its own: mapping it copies the object's content there, a
// copy in the stream like others; unmapping waits for the stream and copies it back, on the
// calling thread, on which OpenGL's context is current. The memory stays the same while the
// resource is registered.
#pragma once

#include "device/graphics/gl.h"
#include "device/operation.h"
#include "device/texture/array.h"

#include <mutex>
#include <span>

namespace heddle {

/// What a cudaGraphicsResource_t points to.
class GraphicsResource {
public:
  virtual ~GraphicsResource() = default;
  GraphicsResource(const GraphicsResource &) = delete;
  GraphicsResource &operator=(const GraphicsResource &) = delete;

  Device &device;
  const uint64_t generation; // of the device, when this was made

  // `flags`: cudaGraphicsRegisterFlags.
  static cudaError_t registerBuffer(Device &device, gl::Name buffer, unsigned flags,
                                    std::shared_ptr<GraphicsResource> &resource);
  static cudaError_t registerImage(Device &device, gl::Name image, gl::Enum target, unsigned flags,
                                   std::shared_ptr<GraphicsResource> &resource);

  static Handles<GraphicsResource> &handles();
  /// cudaErrorInvalidResourceHandle if there is none, or its device has been reset since.
  static cudaError_t find(cudaGraphicsResource_t handle,
                          std::shared_ptr<GraphicsResource> &resource);

  cudaError_t setMapFlags(unsigned flags);
  /// All of them or, if one cannot be, none.
  static cudaError_t map(std::span<const cudaGraphicsResource_t> all, DeviceStream &stream);
  static cudaError_t unmap(std::span<const cudaGraphicsResource_t> all, DeviceStream &stream);
  /// What is mapped is unmapped, if OpenGL's context is still there.
  static cudaError_t unregister(cudaGraphicsResource_t handle);

  // Of mapped resources. cudaErrorNotMapped, or cudaErrorNotMappedAsPointer and
  // cudaErrorNotMappedAsArray where it is of the other kind.
  cudaError_t pointer(void *&address, size_t &bytes);
  /// A level's array; of a cube or an array of textures, a face's or a layer's.
  cudaError_t array(unsigned index, unsigned level, cudaArray_t &array);
  cudaError_t mipmaps(cudaMipmappedArray_t &mipmaps);

protected:
  GraphicsResource(Device &device, unsigned flags)
      : device(device), generation(device.generation()), flags(flags & 3) {}

  /// The object has been looked at: there is memory for all of it.
  virtual cudaError_t prepare(const gl::Context &gl) = 0;
  /// Copies the object's content into the memory, in the stream's order.
  virtual cudaError_t load(const gl::Context &gl, DeviceStream &stream) = 0;
  /// Copies the memory, when the stream has done what is in it, to the object.
  virtual cudaError_t store(const gl::Context &gl, DeviceStream &stream) = 0;
  virtual bool memory(void *& /*address*/, size_t & /*bytes*/) { return false; }
  virtual MipmappedArray *arrays() { return nullptr; }
  /// Null if there is no such face or layer.
  virtual std::shared_ptr<Array> slice(unsigned /*index*/, unsigned /*level*/) { return nullptr; }

private:
  std::mutex mutex; // guards what follows
  unsigned flags;   // cudaGraphicsMapFlags
  bool is_mapped = false;

  static cudaError_t add(const std::shared_ptr<GraphicsResource> &made, bool flags_fit,
                         std::shared_ptr<GraphicsResource> &resource);
  cudaError_t mapOne(const gl::Context &gl, DeviceStream &stream);
  cudaError_t unmapOne(const gl::Context &gl, DeviceStream &stream);
};

} // namespace heddle
