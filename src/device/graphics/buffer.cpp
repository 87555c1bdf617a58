// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graphics/buffer.h"

#include "device/graphics/transfer.h"

#include <cstring>

namespace heddle {
namespace {

// Binding a buffer here changes no state of vertex arrays.
constexpr gl::Enum target = gl::array_buffer;

gl::BoundBuffer bound(const gl::Context &gl, gl::Name name) {
  return {gl, target, gl::array_buffer_binding, name};
}

int64_t parameter(const gl::Context &gl, gl::Enum what) {
  if (gl.GetBufferParameteri64v && gl.atLeast(32, 30)) {
    int64_t value = 0;
    gl.GetBufferParameteri64v(target, what, &value);
    return value;
  }
  int value = 0;
  gl.GetBufferParameteriv(target, what, &value);
  return value;
}

/// How the storage of the bound buffer may be used; nothing for one that can be made anew.
std::optional<unsigned> storageFlags(const gl::Context &gl) {
  if (gl.embedded || gl.version < 44 || !parameter(gl, gl::buffer_immutable_storage))
    return std::nullopt;
  return unsigned(parameter(gl, gl::buffer_storage_flags));
}

/// Whether the program has mapped it, in a way that forbids all else.
bool takenByProgram(const gl::Context &gl) {
  if (!parameter(gl, gl::buffer_mapped))
    return false;
  const std::optional<unsigned> storage = storageFlags(gl);
  return !storage || !(*storage & gl::map_persistent_bit);
}

/// From the bound buffer. False: OpenGL does not let it.
bool read(const gl::Context &gl, void *data, size_t bytes) {
  if (gl.GetBufferSubData && !gl.embedded) {
    gl.GetBufferSubData(target, 0, gl::Size(bytes), data);
    return true;
  }
  void *const content = gl.MapBufferRange(target, 0, gl::Size(bytes), gl::map_read_bit);
  if (!content)
    return false;
  memcpy(data, content, bytes);
  gl.UnmapBuffer(target);
  return true;
}

/// To the bound buffer.
void write(const gl::Context &gl, const void *data, size_t bytes) {
  const std::optional<unsigned> storage = storageFlags(gl);
  if (!storage || *storage & gl::dynamic_storage_bit)
    return gl.BufferSubData(target, 0, gl::Size(bytes), data);
  // Such storage only OpenGL itself may write.
  gl::Name from = 0;
  gl.GenBuffers(1, &from);
  {
    const gl::BoundBuffer bound(gl, gl::copy_read_buffer, gl::copy_read_buffer_binding, from);
    gl.BufferData(gl::copy_read_buffer, gl::Size(bytes), data, gl::stream_draw);
    gl.CopyBufferSubData(gl::copy_read_buffer, target, 0, 0, gl::Size(bytes));
  }
  gl.DeleteBuffers(1, &from);
}

} // namespace

GraphicsBuffer::~GraphicsBuffer() { release(); }

void GraphicsBuffer::release() {
  if (!base || generation != device.generation())
    return;
  // The context that it was made in may have ended, and others have the memory.
  if (const auto found = device.memory.find(base); found && found->id == allocation)
    device.memory.release(*found);
  base = nullptr;
}

cudaError_t GraphicsBuffer::prepare(const gl::Context &gl) {
  if (!gl.IsBuffer || !gl.IsBuffer(name))
    return cudaErrorInvalidResourceHandle;
  const gl::BoundBuffer buffer = bound(gl, name);
  const auto size = size_t(parameter(gl, gl::buffer_size));
  if (takenByProgram(gl))
    return cudaErrorMapBufferObjectFailed;
  if (base && size == bytes)
    return cudaSuccess;
  release(); // the program has given the object another size
  bytes = size;
  base = device.memory.allocateOnDevice(device.ordinal, std::max(size, size_t(1)));
  if (!base)
    return cudaErrorMemoryAllocation;
  allocation = device.memory.find(base)->id;
  return cudaSuccess;
}

cudaError_t GraphicsBuffer::load(const gl::Context &gl, DeviceStream &stream) {
  std::vector<char> data(bytes);
  {
    const gl::BoundBuffer buffer = bound(gl, name);
    if (!read(gl, data.data(), bytes))
      return cudaErrorMapBufferObjectFailed;
  }
  return copyIn(stream, {base, bytes}, std::move(data), {bytes});
}

cudaError_t GraphicsBuffer::store(const gl::Context &gl, DeviceStream &stream) {
  std::vector<char> data;
  if (const cudaError_t error = copyOut(stream, data, {base, bytes}, {bytes}))
    return error;
  if (!gl.IsBuffer(name)) // deleted meanwhile
    return cudaErrorUnmapBufferObjectFailed;
  const gl::BoundBuffer buffer = bound(gl, name);
  if (takenByProgram(gl) || size_t(parameter(gl, gl::buffer_size)) != bytes)
    return cudaErrorUnmapBufferObjectFailed;
  write(gl, data.data(), bytes);
  return cudaSuccess;
}

bool GraphicsBuffer::memory(void *&address, size_t &size) {
  address = base;
  size = bytes;
  return true;
}

} // namespace heddle
