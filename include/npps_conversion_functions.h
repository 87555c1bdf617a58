// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converting signals (libnpps): nppsConvert, nppsThreshold, Threshold_LT, _GT, _LTVal, _GTVal.
#ifndef NV_NPPS_CONVERSION_FUNCTIONS_H
#define NV_NPPS_CONVERSION_FUNCTIONS_H

#include "__npp/declare.h"

#define HEDDLE_NPP_P_signalConvert(S, D) const S *pSrc, D *pDst, size_t nLength
#define HEDDLE_NPP_A_signalConvert pSrc, pDst, nLength
#define HEDDLE_NPP_P_signalConvertSfs(S, D)                                                        \
  HEDDLE_NPP_P_signalConvert(S, D), NppRoundMode eRoundMode, int nScaleFactor
#define HEDDLE_NPP_A_signalConvertSfs HEDDLE_NPP_A_signalConvert, eRoundMode, nScaleFactor
#define HEDDLE_NPP_P_signalScale(S, D) HEDDLE_NPP_P_signalConvert(S, D), int nScaleFactor
#define HEDDLE_NPP_A_signalScale HEDDLE_NPP_A_signalConvert, nScaleFactor
#define HEDDLE_NPP_P_signalThreshold(T)                                                            \
  const T *pSrc, T *pDst, size_t nLength, T nLevel, NppCmpOp nRelOp
#define HEDDLE_NPP_A_signalThreshold pSrc, pDst, nLength, nLevel, nRelOp
#define HEDDLE_NPP_P_signalThresholdI(T) T *pSrcDst, size_t nLength, T nLevel, NppCmpOp nRelOp
#define HEDDLE_NPP_A_signalThresholdI pSrcDst, nLength, nLevel, nRelOp
#define HEDDLE_NPP_P_signalLimit(T) const T *pSrc, T *pDst, size_t nLength, T nLevel
#define HEDDLE_NPP_A_signalLimit pSrc, pDst, nLength, nLevel
#define HEDDLE_NPP_P_signalLimitI(T) T *pSrcDst, size_t nLength, T nLevel
#define HEDDLE_NPP_A_signalLimitI pSrcDst, nLength, nLevel
#define HEDDLE_NPP_P_signalLimitVal(T) HEDDLE_NPP_P_signalLimit(T), T nValue
#define HEDDLE_NPP_A_signalLimitVal HEDDLE_NPP_A_signalLimit, nValue
#define HEDDLE_NPP_P_signalLimitValI(T) HEDDLE_NPP_P_signalLimitI(T), T nValue
#define HEDDLE_NPP_A_signalLimitValI HEDDLE_NPP_A_signalLimitI, nValue

#define HEDDLE_NPPS_CONVERT1(X, s, d) X(nppsConvert_##s##d, signalConvert, (Npp##s, Npp##d), 0)
#define HEDDLE_NPPS_CONVERT_SFS(X, s, d)                                                           \
  X(nppsConvert_##s##d##_Sfs, signalConvertSfs, (Npp##s, Npp##d), 0)
#define HEDDLE_NPPS_CONVERT_SCALE(X, s, d)                                                         \
  X(nppsConvert_##s##d##_Sfs, signalScale, (Npp##s, Npp##d), 0)
#define HEDDLE_NPPS_THRESHOLDS(X, t)                                                               \
  X(nppsThreshold_##t, signalThreshold, (Npp##t), 0)                                               \
  X(nppsThreshold_##t##_I, signalThresholdI, (Npp##t), 0)                                          \
  X(nppsThreshold_LT_##t, signalLimit, (Npp##t), Less)                                             \
  X(nppsThreshold_LT_##t##_I, signalLimitI, (Npp##t), Less)                                        \
  X(nppsThreshold_GT_##t, signalLimit, (Npp##t), Greater)                                          \
  X(nppsThreshold_GT_##t##_I, signalLimitI, (Npp##t), Greater)                                     \
  X(nppsThreshold_LTVal_##t, signalLimitVal, (Npp##t), Less)                                       \
  X(nppsThreshold_LTVal_##t##_I, signalLimitValI, (Npp##t), Less)                                  \
  X(nppsThreshold_GTVal_##t, signalLimitVal, (Npp##t), Greater)                                    \
  X(nppsThreshold_GTVal_##t##_I, signalLimitValI, (Npp##t), Greater)
#define HEDDLE_NPPS_CONVERSION(X)                                                                  \
  HEDDLE_NPPS_CONVERT1(X, 8s, 16s)                                                                 \
  HEDDLE_NPPS_CONVERT1(X, 8s, 32f)                                                                 \
  HEDDLE_NPPS_CONVERT1(X, 8u, 32f)                                                                 \
  HEDDLE_NPPS_CONVERT1(X, 16s, 32s)                                                                \
  HEDDLE_NPPS_CONVERT1(X, 16s, 32f)                                                                \
  HEDDLE_NPPS_CONVERT1(X, 16u, 32f)                                                                \
  HEDDLE_NPPS_CONVERT1(X, 32s, 16s)                                                                \
  HEDDLE_NPPS_CONVERT1(X, 32s, 32f)                                                                \
  HEDDLE_NPPS_CONVERT1(X, 32s, 64f)                                                                \
  HEDDLE_NPPS_CONVERT1(X, 32f, 64f)                                                                \
  HEDDLE_NPPS_CONVERT1(X, 64f, 32f)                                                                \
  HEDDLE_NPPS_CONVERT_SFS(X, 16s, 8s)                                                              \
  HEDDLE_NPPS_CONVERT_SFS(X, 32f, 8s)                                                              \
  HEDDLE_NPPS_CONVERT_SFS(X, 32f, 8u)                                                              \
  HEDDLE_NPPS_CONVERT_SFS(X, 32f, 16s)                                                             \
  HEDDLE_NPPS_CONVERT_SFS(X, 32f, 16u)                                                             \
  HEDDLE_NPPS_CONVERT_SFS(X, 32f, 32s)                                                             \
  HEDDLE_NPPS_CONVERT_SFS(X, 64f, 16s)                                                             \
  HEDDLE_NPPS_CONVERT_SFS(X, 64f, 32s)                                                             \
  HEDDLE_NPPS_CONVERT_SCALE(X, 16s, 32f)                                                           \
  HEDDLE_NPPS_CONVERT_SCALE(X, 16s, 64f)                                                           \
  HEDDLE_NPPS_CONVERT_SCALE(X, 32s, 16s)                                                           \
  HEDDLE_NPPS_CONVERT_SCALE(X, 32s, 32f)                                                           \
  HEDDLE_NPPS_CONVERT_SCALE(X, 32s, 64f)                                                           \
  HEDDLE_NPPS_THRESHOLDS(X, 16s)                                                                   \
  HEDDLE_NPPS_THRESHOLDS(X, 32f)                                                                   \
  HEDDLE_NPPS_THRESHOLDS(X, 64f)

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPS_CONVERSION(HEDDLE_NPP_DECLARE)
#ifdef __cplusplus
}
#endif

#endif
