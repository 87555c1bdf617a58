// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for images (libnppisu): nppiMalloc_8u_C1(nWidthPixels, nHeightPixels, pStepBytes), ...,
// nppiFree.
#ifndef NV_NPPI_SUPPORT_FUNCTIONS_H
#define NV_NPPI_SUPPORT_FUNCTIONS_H

#include "nppdefs.h"

#define HEDDLE_NPP_MALLOC_ALL(X, t) X(t, 1) X(t, 2) X(t, 3) X(t, 4)
// clang-format off: uses of macros in a row
#define HEDDLE_NPPI_MALLOC(X)                                                                      \
  HEDDLE_NPP_MALLOC_ALL(X, 8u)                                                                     \
  HEDDLE_NPP_MALLOC_ALL(X, 16u)                                                                    \
  X(16s, 1)                                                                                        \
  X(16s, 2) X(16s, 4) X(16sc, 1) X(16sc, 2) X(16sc, 3) X(16sc, 4) X(32s, 1) X(32s, 3) X(32s, 4)    \
      X(32sc, 1) X(32sc, 2) X(32sc, 3) X(32sc, 4) HEDDLE_NPP_MALLOC_ALL(X, 32f)                    \
          HEDDLE_NPP_MALLOC_ALL(X, 32fc)
// clang-format on
#define HEDDLE_NPP_MALLOC(t, c)                                                                    \
  Npp##t *nppiMalloc_##t##_C##c(int nWidthPixels, int nHeightPixels, int *pStepBytes);

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPI_MALLOC(HEDDLE_NPP_MALLOC)
void nppiFree(void *pData);
#ifdef __cplusplus
}
#endif

#endif
