// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that CUDA had for OpenGL's buffers before there were resources: buffers are known
// by OpenGL's names, and each has a resource behind it.
#include "api/entry.h"

#pragma GCC visibility push(default)
#include <cuda_gl_interop.h>
#pragma GCC visibility pop

#include <map>
#include <mutex>

using namespace heddle;
using namespace heddle::api;

namespace {

/// The resources of registered buffers. Thread-safe.
class BufferObjects {
public:
  static BufferObjects &instance() {
    static auto *all = new BufferObjects;
    return *all;
  }
  cudaGraphicsResource_t find(GLuint buffer) {
    std::lock_guard lock(mutex);
    const auto found = resources.find(buffer);
    return found == resources.end() ? nullptr : found->second;
  }
  void set(GLuint buffer, cudaGraphicsResource_t resource) {
    std::lock_guard lock(mutex);
    resources[buffer] = resource;
  }
  void remove(GLuint buffer) {
    std::lock_guard lock(mutex);
    resources.erase(buffer);
  }

private:
  std::mutex mutex;
  std::map<GLuint, cudaGraphicsResource_t> resources;
};

cudaGraphicsResource_t resourceOf(GLuint buffer) { return BufferObjects::instance().find(buffer); }

cudaError_t unmap(GLuint buffer, cudaStream_t stream, const char *caller = __builtin_FUNCTION()) {
  return call(
      [&] {
        cudaGraphicsResource_t resource = resourceOf(buffer);
        return resource ? cudaGraphicsUnmapResources(1, &resource, stream)
                        : cudaErrorInvalidResourceHandle;
      },
      caller);
}

cudaError_t map(void **pointer, GLuint buffer, cudaStream_t stream,
                const char *caller = __builtin_FUNCTION()) {
  return call(
      [&] {
        cudaGraphicsResource_t resource = resourceOf(buffer);
        if (!pointer || !resource)
          return cudaErrorInvalidValue;
        if (const cudaError_t error = cudaGraphicsMapResources(1, &resource, stream))
          return error;
        return cudaGraphicsResourceGetMappedPointer(pointer, nullptr, resource);
      },
      caller);
}

} // namespace

cudaError_t cudaGLRegisterBufferObject(GLuint buffer) {
  return call([&] {
    cudaGraphicsResource_t resource = nullptr;
    if (resourceOf(buffer))
      return cudaErrorInvalidValue;
    if (const cudaError_t error =
            cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsNone))
      return error;
    BufferObjects::instance().set(buffer, resource);
    return cudaSuccess;
  });
}

cudaError_t cudaGLUnregisterBufferObject(GLuint buffer) {
  return call([&] {
    const cudaGraphicsResource_t resource = resourceOf(buffer);
    BufferObjects::instance().remove(buffer);
    return resource ? cudaGraphicsUnregisterResource(resource) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaGLSetBufferObjectMapFlags(GLuint buffer, unsigned flags) {
  return call([&] {
    const cudaGraphicsResource_t resource = resourceOf(buffer);
    return resource ? cudaGraphicsResourceSetMapFlags(resource, flags)
                    : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaGLMapBufferObject(void **pointer, GLuint buffer) {
  return map(pointer, buffer, nullptr);
}
cudaError_t cudaGLUnmapBufferObject(GLuint buffer) { return unmap(buffer, nullptr); }
cudaError_t cudaGLMapBufferObjectAsync(void **pointer, GLuint buffer, cudaStream_t stream) {
  return map(pointer, buffer, stream);
}
cudaError_t cudaGLUnmapBufferObjectAsync(GLuint buffer, cudaStream_t stream) {
  return unmap(buffer, stream);
}
