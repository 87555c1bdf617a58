// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statistics of signals (libnpps): nppsSum, Max, Min, MaxIndx, MinIndx, MinMax, MinMaxIndx, Mean,
// StdDev, MeanStdDev, Norm_Inf, Norm_L1, Norm_L2, NormDiff_*, DotProd, CountInRange, ZeroCrossing,
// MaximumError, AverageError, MaximumRelativeError, AverageRelativeError, MinEvery, MaxEvery, each
// with nppsSumGetBufferSize_32f(nLength, hpDeviceBufferSize) and so on.
#ifndef NV_NPPS_STATISTICS_FUNCTIONS_H
#define NV_NPPS_STATISTICS_FUNCTIONS_H

#include "__npp/declare.h"

#define HEDDLE_NPP_P_signalSize() size_t nLength, size_t *hpDeviceBufferSize
#define HEDDLE_NPP_A_signalSize nLength, hpDeviceBufferSize
#define HEDDLE_NPP_P_signalReduce(S, R)                                                            \
  const S *pSrc, size_t nLength, R *pResult, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_signalReduce pSrc, nLength, pResult, pDeviceBuffer
#define HEDDLE_NPP_P_signalReduceSfs(S, R)                                                         \
  const S *pSrc, size_t nLength, R *pResult, int nScaleFactor, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_signalReduceSfs pSrc, nLength, pResult, nScaleFactor, pDeviceBuffer
#define HEDDLE_NPP_P_signalIndexed(S)                                                              \
  const S *pSrc, size_t nLength, S *pResult, int *pIndx, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_signalIndexed pSrc, nLength, pResult, pIndx, pDeviceBuffer
#define HEDDLE_NPP_P_signalTwo(S)                                                                  \
  const S *pSrc, size_t nLength, S *pFirst, S *pSecond, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_signalTwo pSrc, nLength, pFirst, pSecond, pDeviceBuffer
#define HEDDLE_NPP_P_signalExtremes(S)                                                             \
  const S *pSrc, size_t nLength, S *pMin, int *pMinIndx, S *pMax, int *pMaxIndx,                   \
      Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_signalExtremes pSrc, nLength, pMin, pMinIndx, pMax, pMaxIndx, pDeviceBuffer
#define HEDDLE_NPP_P_signalPair(S, R)                                                              \
  const S *pSrc1, const S *pSrc2, size_t nLength, R *pResult, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_signalPair pSrc1, pSrc2, nLength, pResult, pDeviceBuffer
#define HEDDLE_NPP_P_signalCount(S)                                                                \
  const S *pSrc, size_t nLength, int *pCounts, S nLowerBound, S nUpperBound, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_signalCount pSrc, nLength, pCounts, nLowerBound, nUpperBound, pDeviceBuffer
#define HEDDLE_NPP_P_signalEvery(T) const T *pSrc, T *pSrcDst, size_t nLength
#define HEDDLE_NPP_A_signalEvery pSrc, pSrcDst, nLength

#define HEDDLE_NPPS_SIZED(X, name, types) X(npps##name##GetBufferSize_##types, signalSize, (), 0)
#define HEDDLE_NPPS_REDUCE(X, name, types, S, R, op)                                               \
  X(npps##name##_##types, signalReduce, (S, R), op)
// clang-format off: uses of macros in a row
#define HEDDLE_NPPS_EXTREMES(X, t)                                                                 \
  HEDDLE_NPPS_REDUCE(X, Max, t, Npp##t, Npp##t, Max)                                               \
  HEDDLE_NPPS_SIZED(X, Max, t) HEDDLE_NPPS_REDUCE(X, Min, t, Npp##t, Npp##t, Min)                  \
      HEDDLE_NPPS_SIZED(X, Min, t) X(nppsMaxIndx_##t, signalIndexed, (Npp##t), MaxIndx)            \
          HEDDLE_NPPS_SIZED(X, MaxIndx, t) X(nppsMinIndx_##t, signalIndexed, (Npp##t), MinIndx)    \
              HEDDLE_NPPS_SIZED(X, MinIndx, t) X(nppsMinMax_##t, signalTwo, (Npp##t), MinMax)      \
                  HEDDLE_NPPS_SIZED(X, MinMax, t)                                                  \
                      X(nppsMinMaxIndx_##t, signalExtremes, (Npp##t), 0)                           \
                          HEDDLE_NPPS_SIZED(X, MinMaxIndx, t)
#define HEDDLE_NPPS_MOMENTS(X, t)                                                                  \
  HEDDLE_NPPS_REDUCE(X, Sum, t, Npp##t, Npp##t, Sum)                                               \
  HEDDLE_NPPS_SIZED(X, Sum, t) HEDDLE_NPPS_REDUCE(X, Mean, t, Npp##t, Npp##t, Mean)                \
      HEDDLE_NPPS_SIZED(X, Mean, t) HEDDLE_NPPS_REDUCE(X, StdDev, t, Npp##t, Npp##t, StdDev)       \
          HEDDLE_NPPS_SIZED(X, StdDev, t) X(nppsMeanStdDev_##t, signalTwo, (Npp##t), StdDev)       \
              HEDDLE_NPPS_SIZED(X, MeanStdDev, t) HEDDLE_NPPS_NORMS(X, t, Npp##t, Npp##t)
#define HEDDLE_NPPS_NORMS(X, types, S, R)                                                          \
  HEDDLE_NPPS_NORM(X, Inf, types, S, R)                                                            \
  HEDDLE_NPPS_NORM(X, L1, types, S, R) HEDDLE_NPPS_NORM(X, L2, types, S, R)
#define HEDDLE_NPPS_NORM(X, n, types, S, R)                                                        \
  HEDDLE_NPPS_REDUCE(X, Norm_##n, types, S, R, Norm##n)                                            \
  HEDDLE_NPPS_SIZED(X, Norm##n, types)                                                             \
  X(nppsNormDiff_##n##_##types, signalPair, (S, R), Diff##n)                                       \
  HEDDLE_NPPS_SIZED(X, NormDiff##n, types)
#define HEDDLE_NPPS_PAIR(X, name, types, S, R, op)                                                 \
  X(npps##name##_##types, signalPair, (S, R), op) HEDDLE_NPPS_SIZED(X, name, types)
#define HEDDLE_NPPS_ERROR(X, name, t) HEDDLE_NPPS_PAIR(X, name, t, Npp##t, Npp64f, name)
#define HEDDLE_NPPS_ERRORS(X, name)                                                                \
  HEDDLE_NPPS_ERROR(X, name, 8u)                                                                   \
  HEDDLE_NPPS_ERROR(X, name, 8s)                                                                   \
  HEDDLE_NPPS_ERROR(X, name, 16u)                                                                  \
  HEDDLE_NPPS_ERROR(X, name, 16s)                                                                  \
  HEDDLE_NPPS_ERROR(X, name, 32u)                                                                  \
  HEDDLE_NPPS_ERROR(X, name, 32s)                                                                  \
  HEDDLE_NPPS_ERROR(X, name, 32f)                                                                  \
  HEDDLE_NPPS_ERROR(X, name, 64f)
#define HEDDLE_NPPS_STATISTICS(X)                                                                  \
  HEDDLE_NPPS_EXTREMES(X, 16s)                                                                     \
  HEDDLE_NPPS_EXTREMES(X, 32s)                                                                     \
  HEDDLE_NPPS_EXTREMES(X, 32f)                                                                     \
  HEDDLE_NPPS_EXTREMES(X, 64f)                                                                     \
  HEDDLE_NPPS_MOMENTS(X, 32f)                                                                      \
  HEDDLE_NPPS_MOMENTS(X, 64f)                                                                      \
  HEDDLE_NPPS_NORMS(X, 16s32f, Npp16s, Npp32f)                                                     \
  HEDDLE_NPPS_NORMS(X, 32f64f, Npp32f, Npp64f)                                                     \
  X(nppsSum_16s_Sfs, signalReduceSfs, (Npp16s, Npp16s), Sum)                                       \
  X(nppsSum_32s_Sfs, signalReduceSfs, (Npp32s, Npp32s), Sum)                                       \
  X(nppsSum_16s32s_Sfs, signalReduceSfs, (Npp16s, Npp32s), Sum)                                    \
  X(nppsMean_16s_Sfs, signalReduceSfs, (Npp16s, Npp16s), Mean)                                     \
  X(nppsMean_32s_Sfs, signalReduceSfs, (Npp32s, Npp32s), Mean)                                     \
  HEDDLE_NPPS_SIZED(X, Sum, 16s_Sfs)                                                               \
  HEDDLE_NPPS_SIZED(X, Sum, 32s_Sfs)                                                               \
  HEDDLE_NPPS_SIZED(X, Sum, 16s32s_Sfs)                                                            \
  HEDDLE_NPPS_SIZED(X, Mean, 16s_Sfs)                                                              \
  HEDDLE_NPPS_SIZED(X, Mean, 32s_Sfs)                                                              \
  HEDDLE_NPPS_PAIR(X, DotProd, 32f, Npp32f, Npp32f, Dot)                                           \
  HEDDLE_NPPS_PAIR(X, DotProd, 64f, Npp64f, Npp64f, Dot)                                           \
  HEDDLE_NPPS_PAIR(X, DotProd, 32f64f, Npp32f, Npp64f, Dot)                                        \
  HEDDLE_NPPS_PAIR(X, DotProd, 16s32f, Npp16s, Npp32f, Dot)                                        \
  X(nppsCountInRange_32s, signalCount, (Npp32s), 0)                                                \
  HEDDLE_NPPS_SIZED(X, CountInRange, 32s) HEDDLE_NPPS_REDUCE(X, ZeroCrossing, 16s32f, Npp16s,      \
                                                             Npp32f, ZeroCrossings)                \
      HEDDLE_NPPS_SIZED(X, ZeroCrossing, 16s32f) HEDDLE_NPPS_ERRORS(X, MaximumError)               \
          HEDDLE_NPPS_ERRORS(X, AverageError) HEDDLE_NPPS_ERRORS(X, MaximumRelativeError)          \
              HEDDLE_NPPS_ERRORS(X, AverageRelativeError) X(nppsMinEvery_8u_I, signalEvery,        \
                                                            (Npp8u), Op::Min)                      \
                  X(nppsMinEvery_16u_I, signalEvery, (Npp16u),                                     \
                    Op::Min) X(nppsMinEvery_16s_I, signalEvery, (Npp16s),                          \
                               Op::Min) X(nppsMinEvery_32s_I, signalEvery, (Npp32s), Op::Min)      \
                      X(nppsMinEvery_32f_I, signalEvery, (Npp32f),                                 \
                        Op::Min) X(nppsMinEvery_64f_I, signalEvery, (Npp64f), Op::Min)             \
                          X(nppsMaxEvery_8u_I, signalEvery, (Npp8u), Op::Max)                      \
                              X(nppsMaxEvery_16u_I, signalEvery, (Npp16u), Op::Max)                \
                                  X(nppsMaxEvery_16s_I, signalEvery, (Npp16s), Op::Max)            \
                                      X(nppsMaxEvery_32s_I, signalEvery, (Npp32s), Op::Max)        \
                                          X(nppsMaxEvery_32f_I, signalEvery, (Npp32f), Op::Max)
// clang-format on

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPS_STATISTICS(HEDDLE_NPP_DECLARE)
#ifdef __cplusplus
}
#endif

#endif
