// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What resources of OpenGL refuse: objects that are not there or that no array can be, wrong flags,
// maps of what is mapped, pointers of images, stale handles; and calls of the driver API.
// flags: -lcuda
// hardware: skip needs OpenGL
#include "gl.h"

#include <cudaGL.h>

void registrations() {
  const unsigned buffer = gl::makeBuffer(std::vector<int>{1, 2, 3});
  cudaGraphicsResource_t resource = nullptr;
  CHECK_EQ(cudaGraphicsGLRegisterBuffer(nullptr, buffer, 0), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphicsGLRegisterBuffer(&resource, buffer, 64), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphicsGLRegisterBuffer(&resource, buffer + 1000, 0),
           cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaGraphicsGLRegisterImage(&resource, buffer + 1000, gl::texture_2d, 0),
           cudaErrorInvalidResourceHandle);
  unsigned texture = 0;
  gl::GenTextures(1, &texture);
  gl::BindTexture(gl::texture_2d, texture);
  // Without an image; of three channels; as a texture of another kind; as what is no target.
  CHECK_EQ(cudaGraphicsGLRegisterImage(&resource, texture, gl::texture_2d, 0),
           cudaErrorInvalidValue);
  gl::TexImage2D(gl::texture_2d, 0, gl::rgb8, 4, 4, 0, gl::rgba, gl::unsigned_byte, nullptr);
  CHECK_EQ(cudaGraphicsGLRegisterImage(&resource, texture, gl::texture_2d, 0),
           cudaErrorInvalidValue);
  gl::TexImage2D(gl::texture_2d, 0, gl::rgba8, 4, 4, 0, gl::rgba, gl::unsigned_byte, nullptr);
  CHECK_EQ(cudaGraphicsGLRegisterImage(&resource, texture, gl::texture_3d, 0),
           cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphicsGLRegisterImage(&resource, texture, gl::array_buffer, 0),
           cudaErrorInvalidValue);
  CHECK(resource == nullptr);
  CHECK_CUDA(cudaGraphicsGLRegisterImage(&resource, texture, gl::texture_2d, 0));
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
}

void maps() {
  const unsigned buffer = gl::makeBuffer(std::vector<int>{1, 2, 3});
  cudaGraphicsResource_t resource = nullptr;
  void *pointer = nullptr;
  size_t bytes = 0;
  cudaArray_t array = nullptr;
  CHECK_CUDA(cudaGraphicsGLRegisterBuffer(&resource, buffer, 0));
  CHECK_EQ(cudaGraphicsResourceGetMappedPointer(&pointer, &bytes, resource), cudaErrorNotMapped);
  CHECK_EQ(cudaGraphicsUnmapResources(1, &resource, nullptr), cudaErrorNotMapped);
  CHECK_EQ(cudaGraphicsMapResources(0, &resource, nullptr), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphicsMapResources(1, nullptr, nullptr), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphicsResourceSetMapFlags(resource, 8), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphicsResourceSetMapFlags(resource, cudaGraphicsMapFlagsReadOnly));
  // Twice at once: the first is undone.
  cudaGraphicsResource_t twice[] = {resource, resource};
  CHECK_EQ(cudaGraphicsMapResources(2, twice, nullptr), cudaErrorAlreadyMapped);
  CHECK_CUDA(cudaGraphicsMapResources(1, &resource, nullptr));
  CHECK_EQ(cudaGraphicsMapResources(1, &resource, nullptr), cudaErrorAlreadyMapped);
  CHECK_EQ(cudaGraphicsResourceSetMapFlags(resource, 0), cudaErrorAlreadyMapped);
  CHECK_EQ(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0),
           cudaErrorNotMappedAsArray);
  CHECK_CUDA(cudaGraphicsUnmapResources(1, &resource, nullptr));
  // The program has mapped it itself.
  gl::BindBuffer(gl::array_buffer, buffer);
  CHECK(gl::MapBuffer(gl::array_buffer, 0x88B8 /* to read */) != nullptr);
  CHECK_EQ(cudaGraphicsMapResources(1, &resource, nullptr), cudaErrorMapBufferObjectFailed);
  gl::UnmapBuffer(gl::array_buffer);
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
  CHECK_EQ(cudaGraphicsMapResources(1, &resource, nullptr), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaGraphicsUnregisterResource(resource), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaGraphicsUnregisterResource(nullptr), cudaErrorInvalidResourceHandle);
}

/// What is deleted while it is registered is refused; its memory stays until it is unregistered.
void deleted() {
  const unsigned buffer = gl::makeBuffer(std::vector<int>{1, 2, 3});
  cudaGraphicsResource_t resource = nullptr;
  CHECK_CUDA(cudaGraphicsGLRegisterBuffer(&resource, buffer, 0));
  CHECK_CUDA(cudaGraphicsMapResources(1, &resource, nullptr));
  gl::DeleteBuffers(1, &buffer);
  CHECK_EQ(cudaGraphicsUnmapResources(1, &resource, nullptr), cudaErrorUnmapBufferObjectFailed);
  void *pointer = nullptr;
  CHECK_CUDA(cudaGraphicsResourceGetMappedPointer(&pointer, nullptr, resource));
  CHECK_CUDA(cudaMemset(pointer, 0, 12));
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
}

void captured() {
  const unsigned buffer = gl::makeBuffer(std::vector<int>{1, 2, 3});
  cudaGraphicsResource_t resource = nullptr;
  CHECK_CUDA(cudaGraphicsGLRegisterBuffer(&resource, buffer, 0));
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_EQ(cudaGraphicsMapResources(1, &resource, stream), cudaErrorStreamCaptureUnsupported);
  CHECK_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
}

void ofTheDriver() {
  const unsigned buffer = gl::makeBuffer(std::vector<int>{1, 2, 3});
  CUgraphicsResource resource = nullptr;
  CUdeviceptr pointer = 0;
  size_t bytes = 0;
  CUarray array = nullptr;
  CHECK_EQ(cuGraphicsGLRegisterBuffer(&resource, buffer, 0), CUDA_SUCCESS);
  CHECK_EQ(cuGraphicsResourceGetMappedPointer(&pointer, &bytes, resource), CUDA_ERROR_NOT_MAPPED);
  CHECK_EQ(cuGraphicsMapResources(1, &resource, nullptr), CUDA_SUCCESS);
  CHECK_EQ(cuGraphicsResourceGetMappedPointer(&pointer, &bytes, resource), CUDA_SUCCESS);
  CHECK_EQ(bytes, 12u);
  CHECK_EQ(cuGraphicsSubResourceGetMappedArray(&array, resource, 0, 0),
           CUDA_ERROR_NOT_MAPPED_AS_ARRAY);
  CHECK_EQ(cuMemsetD32(pointer, 5, 2), CUDA_SUCCESS);
  CHECK_EQ(cuGraphicsMapResources(1, &resource, nullptr), CUDA_ERROR_ALREADY_MAPPED);
  CHECK_EQ(cuGraphicsUnmapResources(1, &resource, nullptr), CUDA_SUCCESS);
  CHECK(gl::readBuffer<int>(buffer, 3) == (std::vector<int>{5, 5, 3}));
  CHECK_EQ(cuGraphicsUnregisterResource(resource), CUDA_SUCCESS);
  CHECK_EQ(cuGraphicsUnregisterResource(resource), CUDA_ERROR_INVALID_HANDLE);
  unsigned count = 0;
  CUdevice device = -1;
  CHECK_EQ(cuGLGetDevices(&count, &device, 1, CU_GL_DEVICE_LIST_ALL), CUDA_SUCCESS);
  CHECK_EQ(device, 0);
}

/// Where no context is current, there is nothing to ask.
void withoutContext(const gl::Context &context) {
  const unsigned buffer = gl::makeBuffer(std::vector<int>{1, 2, 3});
  cudaGraphicsResource_t resource = nullptr, other = nullptr;
  CHECK_CUDA(cudaGraphicsGLRegisterBuffer(&resource, buffer, 0));
  CHECK(context.makeCurrent(false));
  CHECK_EQ(cudaGraphicsGLRegisterBuffer(&other, buffer, 0), cudaErrorInvalidGraphicsContext);
  CHECK_EQ(cudaGraphicsMapResources(1, &resource, nullptr), cudaErrorInvalidGraphicsContext);
  unsigned count = 0;
  CHECK_EQ(cudaGLGetDevices(&count, nullptr, 0, cudaGLDeviceListAll),
           cudaErrorInvalidGraphicsContext);
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
  CHECK(context.makeCurrent(true));
}

int main() {
  const gl::Context context;
  registrations();
  maps();
  deleted();
  captured();
  ofTheDriver();
  withoutContext(context);
  CHECK_EQ(gl::GetError(), 0u);
  RETURN_RESULT();
}
