// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for signals (libnpps): nppsMalloc_8u(nSize), ..., nppsFree.
#ifndef NV_NPPS_SUPPORT_FUNCTIONS_H
#define NV_NPPS_SUPPORT_FUNCTIONS_H

#include "nppdefs.h"
#include <stddef.h>

#define HEDDLE_NPPS_MALLOC(X)                                                                      \
  X(8u)                                                                                            \
  X(8s) X(16u) X(16s) X(16sc) X(32u) X(32s) X(32sc) X(32f) X(32fc) X(64s) X(64sc) X(64f) X(64fc)
#define HEDDLE_NPPS_DECLARE_MALLOC(t) Npp##t *nppsMalloc_##t(size_t nSize);

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPS_MALLOC(HEDDLE_NPPS_DECLARE_MALLOC)
void nppsFree(void *pValues);
#ifdef __cplusplus
}
#endif

#endif
