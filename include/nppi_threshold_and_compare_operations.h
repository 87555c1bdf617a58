// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thresholds and comparisons (libnppitc): nppiThreshold, Threshold_GT, _LT, _Val, _GTVal, _LTVal,
// _LTValGTVal; nppiCompare, CompareC, CompareEqualEps, CompareEqualEpsC.
#ifndef NV_NPPI_THRESHOLD_AND_COMPARE_OPERATIONS_H
#define NV_NPPI_THRESHOLD_AND_COMPARE_OPERATIONS_H

#include "__npp/declare.h"

// A threshold of one channel, or one for each (K is S or const S *); in place or not.
#define HEDDLE_NPP_P_threshold(S, K) HEDDLE_NPP_P_unary(S, S), K nThreshold
#define HEDDLE_NPP_A_threshold HEDDLE_NPP_A_unary, nThreshold
#define HEDDLE_NPP_P_thresholdI(S, K) HEDDLE_NPP_P_unaryI(S), K nThreshold
#define HEDDLE_NPP_A_thresholdI HEDDLE_NPP_A_unaryI, nThreshold
#define HEDDLE_NPP_P_thresholdOp(S, K) HEDDLE_NPP_P_threshold(S, K), NppCmpOp eComparisonOperation
#define HEDDLE_NPP_A_thresholdOp HEDDLE_NPP_A_threshold, eComparisonOperation
#define HEDDLE_NPP_P_thresholdOpI(S, K) HEDDLE_NPP_P_thresholdI(S, K), NppCmpOp eComparisonOperation
#define HEDDLE_NPP_A_thresholdOpI HEDDLE_NPP_A_thresholdI, eComparisonOperation
#define HEDDLE_NPP_P_thresholdVal(S, K) HEDDLE_NPP_P_threshold(S, K), K nValue
#define HEDDLE_NPP_A_thresholdVal HEDDLE_NPP_A_threshold, nValue
#define HEDDLE_NPP_P_thresholdValI(S, K) HEDDLE_NPP_P_thresholdI(S, K), K nValue
#define HEDDLE_NPP_A_thresholdValI HEDDLE_NPP_A_thresholdI, nValue
#define HEDDLE_NPP_P_thresholdValOp(S, K)                                                          \
  HEDDLE_NPP_P_thresholdVal(S, K), NppCmpOp eComparisonOperation
#define HEDDLE_NPP_A_thresholdValOp HEDDLE_NPP_A_thresholdVal, eComparisonOperation
#define HEDDLE_NPP_P_thresholdValOpI(S, K)                                                         \
  HEDDLE_NPP_P_thresholdValI(S, K), NppCmpOp eComparisonOperation
#define HEDDLE_NPP_A_thresholdValOpI HEDDLE_NPP_A_thresholdValI, eComparisonOperation
#define HEDDLE_NPP_P_thresholdTwo(S, K)                                                            \
  HEDDLE_NPP_P_unary(S, S), K nThresholdLT, K nValueLT, K nThresholdGT, K nValueGT
#define HEDDLE_NPP_A_thresholdTwo HEDDLE_NPP_A_unary, nThresholdLT, nValueLT, nThresholdGT, nValueGT
#define HEDDLE_NPP_P_thresholdTwoI(S, K)                                                           \
  HEDDLE_NPP_P_unaryI(S), K nThresholdLT, K nValueLT, K nThresholdGT, K nValueGT
#define HEDDLE_NPP_A_thresholdTwoI                                                                 \
  HEDDLE_NPP_A_unaryI, nThresholdLT, nValueLT, nThresholdGT, nValueGT

#define HEDDLE_NPP_THRESHOLDS(X, t, c, K)                                                          \
  X(nppiThreshold_##t##_##c##R, thresholdOp, (Npp##t, K), c)                                       \
  X(nppiThreshold_##t##_##c##IR, thresholdOpI, (Npp##t, K), c)                                     \
  X(nppiThreshold_GT_##t##_##c##R, threshold, (Npp##t, K), Greater, c)                             \
  X(nppiThreshold_GT_##t##_##c##IR, thresholdI, (Npp##t, K), Greater, c)                           \
  X(nppiThreshold_LT_##t##_##c##R, threshold, (Npp##t, K), Less, c)                                \
  X(nppiThreshold_LT_##t##_##c##IR, thresholdI, (Npp##t, K), Less, c)                              \
  X(nppiThreshold_Val_##t##_##c##R, thresholdValOp, (Npp##t, K), c)                                \
  X(nppiThreshold_Val_##t##_##c##IR, thresholdValOpI, (Npp##t, K), c)                              \
  X(nppiThreshold_GTVal_##t##_##c##R, thresholdVal, (Npp##t, K), Greater, c)                       \
  X(nppiThreshold_GTVal_##t##_##c##IR, thresholdValI, (Npp##t, K), Greater, c)                     \
  X(nppiThreshold_LTVal_##t##_##c##R, thresholdVal, (Npp##t, K), Less, c)                          \
  X(nppiThreshold_LTVal_##t##_##c##IR, thresholdValI, (Npp##t, K), Less, c)                        \
  X(nppiThreshold_LTValGTVal_##t##_##c##R, thresholdTwo, (Npp##t, K), c)                           \
  X(nppiThreshold_LTValGTVal_##t##_##c##IR, thresholdTwoI, (Npp##t, K), c)
#define HEDDLE_NPP_THRESHOLDS_OF(X, t)                                                             \
  HEDDLE_NPP_THRESHOLDS(X, t, C1, const Npp##t)                                                    \
  HEDDLE_NPP_THRESHOLDS(X, t, C3, const Npp##t *)                                                  \
  HEDDLE_NPP_THRESHOLDS(X, t, AC4, const Npp##t *)
#define HEDDLE_NPPI_THRESHOLD(X)                                                                   \
  HEDDLE_NPP_THRESHOLDS_OF(X, 8u)                                                                  \
  HEDDLE_NPP_THRESHOLDS_OF(X, 16u)                                                                 \
  HEDDLE_NPP_THRESHOLDS_OF(X, 16s)                                                                 \
  HEDDLE_NPP_THRESHOLDS_OF(X, 32f)

// The result is an 8u image of one channel: 255 where all channels compare so, else 0.
#define HEDDLE_NPP_P_compareTwo(S) HEDDLE_NPP_P_binary(S, Npp8u), NppCmpOp eComparisonOperation
#define HEDDLE_NPP_A_compareTwo HEDDLE_NPP_A_binary, eComparisonOperation
#define HEDDLE_NPP_P_compareC(S, K)                                                                \
  const S *pSrc, int nSrcStep, K nConstant, Npp8u *pDst, int nDstStep, NppiSize oSizeROI,          \
      NppCmpOp eComparisonOperation
#define HEDDLE_NPP_A_compareC                                                                      \
  pSrc, nSrcStep, nConstant, pDst, nDstStep, oSizeROI, eComparisonOperation
#define HEDDLE_NPP_P_compareEps() HEDDLE_NPP_P_binary(Npp32f, Npp8u), Npp32f nEpsilon
#define HEDDLE_NPP_A_compareEps HEDDLE_NPP_A_binary, nEpsilon
#define HEDDLE_NPP_P_compareEpsC(K)                                                                \
  const Npp32f *pSrc, int nSrcStep, K nConstant, Npp8u *pDst, int nDstStep, NppiSize oSizeROI,     \
      Npp32f nEpsilon
#define HEDDLE_NPP_A_compareEpsC pSrc, nSrcStep, nConstant, pDst, nDstStep, oSizeROI, nEpsilon
#define HEDDLE_NPP_COMPARE(X, t, c, K)                                                             \
  X(nppiCompare_##t##_##c##R, compareTwo, (Npp##t), c)                                             \
  X(nppiCompareC_##t##_##c##R, compareC, (Npp##t, K), c)
#define HEDDLE_NPP_COMPARE_EPS(X, c, K)                                                            \
  X(nppiCompareEqualEps_32f_##c##R, compareEps, (), c)                                             \
  X(nppiCompareEqualEpsC_32f_##c##R, compareEpsC, (K), c)
#define HEDDLE_NPP_COMPARE_OF(X, t)                                                                \
  HEDDLE_NPP_COMPARE(X, t, C1, const Npp##t)                                                       \
  HEDDLE_NPP_COMPARE(X, t, C3, const Npp##t *)                                                     \
  HEDDLE_NPP_COMPARE(X, t, C4, const Npp##t *)                                                     \
  HEDDLE_NPP_COMPARE(X, t, AC4, const Npp##t *)
#define HEDDLE_NPPI_COMPARE(X)                                                                     \
  HEDDLE_NPP_COMPARE_OF(X, 8u)                                                                     \
  HEDDLE_NPP_COMPARE_OF(X, 16u)                                                                    \
  HEDDLE_NPP_COMPARE_OF(X, 16s)                                                                    \
  HEDDLE_NPP_COMPARE_OF(X, 32f)                                                                    \
  HEDDLE_NPP_COMPARE_EPS(X, C1, const Npp32f)                                                      \
  HEDDLE_NPP_COMPARE_EPS(X, C3, const Npp32f *)                                                    \
  HEDDLE_NPP_COMPARE_EPS(X, C4, const Npp32f *)                                                    \
  HEDDLE_NPP_COMPARE_EPS(X, AC4, const Npp32f *)

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPI_THRESHOLD(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_COMPARE(HEDDLE_NPP_DECLARE)
#ifdef __cplusplus
}
#endif

#endif
