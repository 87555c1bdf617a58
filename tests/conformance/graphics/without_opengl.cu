// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions for OpenGL answer in a program that has loaded no library of OpenGL, as an
// H200 does on a machine without one.
#include "../check.h"

// cuda_gl_interop.h wants OpenGL's headers.
extern "C" {
cudaError_t cudaGLGetDevices(unsigned *, int *, unsigned, int);
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource **, unsigned, unsigned);
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource **, unsigned, unsigned, unsigned);
cudaError_t cudaGLRegisterBufferObject(unsigned);
cudaError_t cudaGLMapBufferObject(void **, unsigned);
cudaError_t cudaGLSetGLDevice(int);
}

int main() {
  constexpr unsigned texture_2d = 0x0DE1;
  cudaGraphicsResource *resource = nullptr;
  unsigned count = 9;
  int devices[4];
  void *pointer = nullptr;
  CHECK_CUDA(cudaFree(nullptr));
  CHECK_EQ(cudaGLGetDevices(&count, devices, 4, 1), cudaErrorOperatingSystem);
  CHECK_EQ(cudaGLGetDevices(nullptr, devices, 4, 1), cudaErrorOperatingSystem);
  CHECK_EQ(cudaGLGetDevices(&count, devices, 4, 7), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphicsGLRegisterBuffer(&resource, 1, 0), cudaErrorOperatingSystem);
  CHECK_EQ(cudaGraphicsGLRegisterBuffer(nullptr, 1, 0), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphicsGLRegisterBuffer(&resource, 1, 64), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphicsGLRegisterBuffer(&resource, 1, 3), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphicsGLRegisterImage(&resource, 1, texture_2d, 0), cudaErrorOperatingSystem);
  CHECK_EQ(cudaGraphicsGLRegisterImage(&resource, 1, 5, 0), cudaErrorInvalidValue);
  CHECK_EQ(cudaGLRegisterBufferObject(1), cudaErrorOperatingSystem);
  CHECK_EQ(cudaGLMapBufferObject(&pointer, 1), cudaErrorInvalidValue);
  CHECK_EQ(cudaGLSetGLDevice(0), cudaErrorSetOnActiveProcess);
  CHECK_EQ(cudaGraphicsMapResources(0, &resource, nullptr), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphicsMapResources(1, nullptr, nullptr), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphicsMapResources(1, &resource, nullptr), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaGraphicsUnmapResources(1, &resource, nullptr), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaGraphicsUnregisterResource(nullptr), cudaErrorInvalidResourceHandle);
  (void)cudaGetLastError();
  RETURN_RESULT();
}
