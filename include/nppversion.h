// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nppversion.h: which NPP this is, that of CUDA 12.4.
#ifndef NPP_VERSION_H
#define NPP_VERSION_H

#define NPP_VER_MAJOR 12
#define NPP_VER_MINOR 2
#define NPP_VER_PATCH 5
#define NPP_VER_BUILD 30
#define NPP_VERSION (NPP_VER_MAJOR * 1000 + NPP_VER_MINOR * 100 + NPP_VER_PATCH)
#define NPP_VERSION_MAJOR NPP_VER_MAJOR
#define NPP_VERSION_MINOR NPP_VER_MINOR
#define NPP_VERSION_BUILD NPP_VER_PATCH

#endif
