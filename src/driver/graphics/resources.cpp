// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resources of OpenGL: the runtime's.
#include "driver/entry.h"

#pragma GCC visibility push(default)
#include <cudaGL.h>
#include <cuda_gl_interop.h>
#pragma GCC visibility pop

using namespace heddle::driver;

namespace {

cudaGraphicsResource_t runtimeResource(CUgraphicsResource resource) {
  return reinterpret_cast<cudaGraphicsResource_t>(resource);
}

CUresult mapBuffer(CUdeviceptr *pointer, size_t *size, GLuint buffer, CUstream stream) {
  return callContext([&]() -> CUresult {
    void *address = nullptr;
    if (!pointer)
      return CUDA_ERROR_INVALID_VALUE;
    if (const cudaError_t error = cudaGLMapBufferObjectAsync(&address, buffer, stream))
      return result(error);
    *pointer = CUdeviceptr(address);
    return size ? cuMemGetAddressRange(nullptr, size, *pointer) : CUDA_SUCCESS;
  });
}

} // namespace

CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *resource, GLuint buffer, unsigned flags) {
  return callContext([&] {
    return cudaGraphicsGLRegisterBuffer(as<cudaGraphicsResource_t>(resource), buffer, flags);
  });
}
CUresult cuGraphicsGLRegisterImage(CUgraphicsResource *resource, GLuint image, GLenum target,
                                   unsigned flags) {
  return callContext([&] {
    return cudaGraphicsGLRegisterImage(as<cudaGraphicsResource_t>(resource), image, target, flags);
  });
}
CUresult cuGraphicsUnregisterResource(CUgraphicsResource resource) {
  return callContext([&] { return cudaGraphicsUnregisterResource(runtimeResource(resource)); });
}
CUresult cuGraphicsSubResourceGetMappedArray(CUarray *array, CUgraphicsResource resource,
                                             unsigned index, unsigned level) {
  return callContext([&] {
    return cudaGraphicsSubResourceGetMappedArray(as<cudaArray_t>(array), runtimeResource(resource),
                                                 index, level);
  });
}
CUresult cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray *mipmaps,
                                                   CUgraphicsResource resource) {
  return callContext([&] {
    return cudaGraphicsResourceGetMappedMipmappedArray(as<cudaMipmappedArray_t>(mipmaps),
                                                       runtimeResource(resource));
  });
}
CUresult cuGraphicsResourceGetMappedPointer(CUdeviceptr *pointer, size_t *size,
                                            CUgraphicsResource resource) {
  return callContext([&] {
    return cudaGraphicsResourceGetMappedPointer(into(pointer), size, runtimeResource(resource));
  });
}
CUresult cuGraphicsResourceSetMapFlags(CUgraphicsResource resource, unsigned flags) {
  return callContext(
      [&] { return cudaGraphicsResourceSetMapFlags(runtimeResource(resource), flags); });
}
HEDDLE_OLDER_NAME("cuGraphicsResourceGetMappedPointer", "cuGraphicsResourceGetMappedPointer_v2")
HEDDLE_OLDER_NAME("cuGraphicsResourceSetMapFlags", "cuGraphicsResourceSetMapFlags_v2")

HEDDLE_DRIVER_STREAM_CALL(cuGraphicsMapResources,
                          (unsigned count, CUgraphicsResource *resources, CUstream stream),
                          callContext([&] {
                            return cudaGraphicsMapResources(
                                int(count), as<cudaGraphicsResource_t>(resources), stream);
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuGraphicsUnmapResources,
                          (unsigned count, CUgraphicsResource *resources, CUstream stream),
                          callContext([&] {
                            return cudaGraphicsUnmapResources(
                                int(count), as<cudaGraphicsResource_t>(resources), stream);
                          }))

CUresult cuGLGetDevices(unsigned *count, CUdevice *devices, unsigned most, CUGLDeviceList list) {
  return call([&] { return cudaGLGetDevices(count, devices, most, cudaGLDeviceList(list)); });
}
HEDDLE_OLDER_NAME("cuGLGetDevices", "cuGLGetDevices_v2")

// ---- Before there were resources ----------------------------------------------------------------

CUresult cuGLInit() {
  return callContext([] { return CUDA_SUCCESS; });
}
CUresult cuGLCtxCreate(CUcontext *context, unsigned flags, CUdevice device) {
  return cuCtxCreate_v2(context, flags, device);
}
HEDDLE_OLDER_NAME("cuGLCtxCreate", "cuGLCtxCreate_v2")
CUresult cuGLRegisterBufferObject(GLuint buffer) {
  return callContext([&] { return cudaGLRegisterBufferObject(buffer); });
}
CUresult cuGLUnregisterBufferObject(GLuint buffer) {
  return callContext([&] { return cudaGLUnregisterBufferObject(buffer); });
}
CUresult cuGLSetBufferObjectMapFlags(GLuint buffer, unsigned flags) {
  return callContext([&] { return cudaGLSetBufferObjectMapFlags(buffer, flags); });
}
HEDDLE_DRIVER_DEFAULT_STREAM_CALL(cuGLMapBufferObject_v2,
                                  (CUdeviceptr * pointer, size_t *size, GLuint buffer),
                                  mapBuffer(pointer, size, buffer, stream))
HEDDLE_DRIVER_STREAM_CALL(cuGLMapBufferObjectAsync_v2,
                          (CUdeviceptr * pointer, size_t *size, GLuint buffer, CUstream stream),
                          mapBuffer(pointer, size, buffer, stream))
CUresult cuGLUnmapBufferObject(GLuint buffer) {
  return callContext([&] { return cudaGLUnmapBufferObject(buffer); });
}
CUresult cuGLUnmapBufferObjectAsync(GLuint buffer, CUstream stream) {
  return callContext([&] { return cudaGLUnmapBufferObjectAsync(buffer, stream); });
}
