// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filling and copying signals (libnpps): nppsSet, Zero, Copy.
#ifndef NV_NPPS_INITIALIZATION_H
#define NV_NPPS_INITIALIZATION_H

#include "__npp/declare.h"

#define HEDDLE_NPP_P_signalSet(T) T nValue, T *pDst, size_t nLength
#define HEDDLE_NPP_A_signalSet nValue, pDst, nLength
#define HEDDLE_NPP_P_signalZero(T) T *pDst, size_t nLength
#define HEDDLE_NPP_A_signalZero pDst, nLength
#define HEDDLE_NPP_P_signalCopy(T) const T *pSrc, T *pDst, size_t nLength
#define HEDDLE_NPP_A_signalCopy pSrc, pDst, nLength
#define HEDDLE_NPPS_FILL(X, t)                                                                     \
  X(nppsSet_##t, signalSet, (Npp##t), 0)                                                           \
  X(nppsZero_##t, signalZero, (Npp##t), 0)                                                         \
  X(nppsCopy_##t, signalCopy, (Npp##t), 0)
#define HEDDLE_NPPS_INITIALIZATION(X)                                                              \
  HEDDLE_NPPS_FILL(X, 8u)                                                                          \
  HEDDLE_NPPS_FILL(X, 8s)                                                                          \
  HEDDLE_NPPS_FILL(X, 16u)                                                                         \
  HEDDLE_NPPS_FILL(X, 16s)                                                                         \
  HEDDLE_NPPS_FILL(X, 16sc)                                                                        \
  HEDDLE_NPPS_FILL(X, 32u)                                                                         \
  HEDDLE_NPPS_FILL(X, 32s)                                                                         \
  HEDDLE_NPPS_FILL(X, 32sc)                                                                        \
  HEDDLE_NPPS_FILL(X, 32f)                                                                         \
  HEDDLE_NPPS_FILL(X, 32fc)                                                                        \
  HEDDLE_NPPS_FILL(X, 64s)                                                                         \
  HEDDLE_NPPS_FILL(X, 64sc)                                                                        \
  HEDDLE_NPPS_FILL(X, 64f)                                                                         \
  HEDDLE_NPPS_FILL(X, 64fc)

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPS_INITIALIZATION(HEDDLE_NPP_DECLARE)
#ifdef __cplusplus
}
#endif

#endif
