// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resources of OpenGL: registered, mapped, asked for their memory.
#include "api/entry.h"
#include "device/graphics/resource.h"

#pragma GCC visibility push(default)
#include <cuda_gl_interop.h>
#pragma GCC visibility pop

using namespace heddle;
using namespace heddle::api;

namespace {

template <class Register>
cudaError_t makeResource(cudaGraphicsResource_t *resource, Register make,
                         const char *caller = __builtin_FUNCTION()) {
  return callDevice(
      [&](Device &device) {
        if (!resource)
          return cudaErrorInvalidValue;
        std::shared_ptr<GraphicsResource> made;
        const cudaError_t error = make(device, made);
        if (!error)
          *resource = reinterpret_cast<cudaGraphicsResource_t>(made.get());
        return error;
      },
      caller);
}

template <class Body>
cudaError_t callResource(cudaGraphicsResource_t handle, Body body,
                         const char *caller = __builtin_FUNCTION()) {
  return callDevice(
      [&](Device &) {
        std::shared_ptr<GraphicsResource> resource;
        const cudaError_t error = GraphicsResource::find(handle, resource);
        return error ? error : body(*resource);
      },
      caller);
}

} // namespace

cudaError_t cudaGLGetDevices(unsigned *count, int *devices, unsigned most, cudaGLDeviceList list) {
  return callPlatform([&](Platform &platform) {
    if (list < cudaGLDeviceListAll || list > cudaGLDeviceListNextFrame)
      return cudaErrorInvalidValue;
    if (const cudaError_t error = gl::contextError())
      return error;
    if (!count || (most && !devices))
      return cudaErrorInvalidValue;
    *count = unsigned(platform.deviceCount()); // what OpenGL has, all of them reach
    for (unsigned i = 0; i < std::min(*count, most); ++i)
      devices[i] = int(i);
    return cudaSuccess;
  });
}

// For programs that have not used the device yet, whose one it then is.
cudaError_t cudaGLSetGLDevice(int device) {
  return callPlatform([&](Platform &platform) {
    if (device < 0 || device >= platform.deviceCount())
      return cudaErrorInvalidDevice;
    return Context::primaryOf(platform.device(device))->active ? cudaErrorSetOnActiveProcess
                                                               : cudaSetDevice(device);
  });
}

cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource **resource, GLuint buffer,
                                         unsigned flags) {
  return makeResource(resource, [&](Device &device, std::shared_ptr<GraphicsResource> &made) {
    return GraphicsResource::registerBuffer(device, buffer, flags, made);
  });
}

cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource **resource, GLuint image,
                                        GLenum target, unsigned flags) {
  return makeResource(resource, [&](Device &device, std::shared_ptr<GraphicsResource> &made) {
    gl::Context gl;
    if (gl::findContext(gl) == cudaSuccess && gl.embedded)
      return notSupported("textures of OpenGL ES");
    return GraphicsResource::registerImage(device, image, target, flags, made);
  });
}

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource) {
  return callDevice([&](Device &) { return GraphicsResource::unregister(resource); });
}

cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned flags) {
  return callResource(resource, [&](GraphicsResource &found) { return found.setMapFlags(flags); });
}

cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources,
                                     cudaStream_t stream) {
  return callStream(stream, [&](DeviceStream &found) {
    return count <= 0 || !resources ? cudaErrorInvalidValue
                                    : GraphicsResource::map({resources, size_t(count)}, found);
  });
}

cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources,
                                       cudaStream_t stream) {
  return callStream(stream, [&](DeviceStream &found) {
    return count <= 0 || !resources ? cudaErrorInvalidValue
                                    : GraphicsResource::unmap({resources, size_t(count)}, found);
  });
}

cudaError_t cudaGraphicsResourceGetMappedPointer(void **pointer, size_t *size,
                                                 cudaGraphicsResource_t resource) {
  return callResource(resource, [&](GraphicsResource &found) {
    void *address = nullptr;
    size_t bytes = 0;
    if (const cudaError_t error = found.pointer(address, bytes))
      return error;
    if (pointer)
      *pointer = address;
    if (size)
      *size = bytes;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array,
                                                  cudaGraphicsResource_t resource, unsigned index,
                                                  unsigned level) {
  return callResource(resource, [&](GraphicsResource &found) {
    return array ? found.array(index, level, *array) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t *mipmaps,
                                                        cudaGraphicsResource_t resource) {
  return callResource(resource, [&](GraphicsResource &found) {
    return mipmaps ? found.mipmaps(*mipmaps) : cudaErrorInvalidValue;
  });
}
