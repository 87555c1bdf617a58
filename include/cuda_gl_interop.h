// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenGL interoperability: the names of its functions. Heddle does not have it: a program that only
// includes this compiles, and one that calls a function is refused where it does, with the reason.
#ifndef __CUDA_GL_INTEROP_H__
#define __CUDA_GL_INTEROP_H__

#include "__heddle_host/not_yet.h"
#include "cuda_runtime_api.h"

// Programs get OpenGL's types from here. The functions below do without.
#if defined(__has_include)
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#endif
#endif

enum cudaGLDeviceList {
  cudaGLDeviceListAll = 1,
  cudaGLDeviceListCurrentFrame = 2,
  cudaGLDeviceListNextFrame = 3
};

enum cudaGLMapFlags {
  cudaGLMapFlagsNone = 0,
  cudaGLMapFlagsReadOnly = 1,
  cudaGLMapFlagsWriteDiscard = 2
};

#ifdef __cplusplus
extern "C" {
#define HEDDLE_GL(name) cudaError_t name(...) HEDDLE_NOT_YET("OpenGL interoperability")
#else
#define HEDDLE_GL(name)                                                                            \
  cudaError_t name(const void *first, ...) HEDDLE_NOT_YET("OpenGL interoperability")
#endif
HEDDLE_GL(cudaGLGetDevices);
HEDDLE_GL(cudaGraphicsGLRegisterImage);
HEDDLE_GL(cudaGraphicsGLRegisterBuffer);
HEDDLE_GL(cudaGLSetGLDevice);
HEDDLE_GL(cudaGLRegisterBufferObject);
HEDDLE_GL(cudaGLMapBufferObject);
HEDDLE_GL(cudaGLUnmapBufferObject);
HEDDLE_GL(cudaGLUnregisterBufferObject);
HEDDLE_GL(cudaGLSetBufferObjectMapFlags);
HEDDLE_GL(cudaGLMapBufferObjectAsync);
HEDDLE_GL(cudaGLUnmapBufferObjectAsync);
#undef HEDDLE_GL
#ifdef __cplusplus
}
#endif

#endif
