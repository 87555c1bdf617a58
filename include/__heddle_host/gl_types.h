// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenGL's types for the headers about it: where its headers are there, programs get all of them,
// as they do from CUDA's.
#ifndef HEDDLE_HOST_GL_TYPES_H
#define HEDDLE_HOST_GL_TYPES_H

#if defined(__has_include)
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#define HEDDLE_HAS_GL_TYPES
#endif
#endif
#ifndef HEDDLE_HAS_GL_TYPES
typedef unsigned int GLuint;
typedef unsigned int GLenum;
#endif

#endif
