// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nppversion.h: which NPP this is, that of CUDA 12.4.
#ifndef NPP_VERSION_H
#define NPP_VERSION_H

#include "__heddle_host/release.h"

#if __HEDDLE_CUDA__ >= 13
#define NPP_VER_MAJOR 13
#define NPP_VER_MINOR 0
#define NPP_VER_PATCH 1
#else
#define NPP_VER_MAJOR 12
#define NPP_VER_MINOR 2
#define NPP_VER_PATCH 5
#endif
#define NPP_VER_BUILD 30
#define NPP_VERSION (NPP_VER_MAJOR * 1000 + NPP_VER_MINOR * 100 + NPP_VER_PATCH)
#define NPP_VERSION_MAJOR NPP_VER_MAJOR
#define NPP_VERSION_MINOR NPP_VER_MINOR
#define NPP_VERSION_BUILD NPP_VER_PATCH

#endif
