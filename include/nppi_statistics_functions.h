// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statistics of images (libnppist): nppiSum, Min, MinIndx, Max, MaxIndx, MinMax, MinMaxIndx, Mean,
// Mean_StdDev, Norm_Inf, Norm_L1, Norm_L2, NormDiff_*, NormRel_*, DotProd, CountInRange, MaxEvery,
// MinEvery, Integral, SqrIntegral, RectStdDev, HistogramEven, HistogramRange, QualityIndex, MSE,
// PSNR, AverageError, MaximumError, AverageRelativeError, MaximumRelativeError. Results are in
// device memory; those that need scratch memory have a function that says how much
// (…GetBufferHostSize…).
#ifndef NV_NPPI_STATISTICS_FUNCTIONS_H
#define NV_NPPI_STATISTICS_FUNCTIONS_H

#include "__npp/declare.h"

#define HEDDLE_NPP_P_source(S) const S *pSrc, int nSrcStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_source pSrc, nSrcStep, oSizeROI
#define HEDDLE_NPP_P_masked(S)                                                                     \
  const S *pSrc, int nSrcStep, const Npp8u *pMask, int nMaskStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_masked pSrc, nSrcStep, pMask, nMaskStep, oSizeROI
#define HEDDLE_NPP_P_sources(S)                                                                    \
  const S *pSrc1, int nSrc1Step, const S *pSrc2, int nSrc2Step, NppiSize oSizeROI
#define HEDDLE_NPP_A_sources pSrc1, nSrc1Step, pSrc2, nSrc2Step, oSizeROI
#define HEDDLE_NPP_P_bufferSize() NppiSize oSizeROI, size_t *hpBufferSize
#define HEDDLE_NPP_A_bufferSize oSizeROI, hpBufferSize

// (pSrc, nSrcStep, oSizeROI, pDeviceBuffer, pResult): Sum, Mean, Min, Max
#define HEDDLE_NPP_P_reduce(S, R) HEDDLE_NPP_P_source(S), Npp8u *pDeviceBuffer, R *pResult
#define HEDDLE_NPP_A_reduce HEDDLE_NPP_A_source, pDeviceBuffer, pResult
#define HEDDLE_NPP_P_reduceM(S, R) HEDDLE_NPP_P_masked(S), Npp8u *pDeviceBuffer, R *pResult
#define HEDDLE_NPP_A_reduceM HEDDLE_NPP_A_masked, pDeviceBuffer, pResult
#define HEDDLE_NPP_P_reduceCM(S, R)                                                                \
  HEDDLE_NPP_P_masked(S), int nCOI, Npp8u *pDeviceBuffer, R *pResult
#define HEDDLE_NPP_A_reduceCM HEDDLE_NPP_A_masked, nCOI, pDeviceBuffer, pResult
// (..., pDeviceBuffer, pMean, pStdDev)
#define HEDDLE_NPP_P_deviation(S) HEDDLE_NPP_P_reduce(S, Npp64f), Npp64f *pStdDev
#define HEDDLE_NPP_A_deviation HEDDLE_NPP_A_reduce, pStdDev
#define HEDDLE_NPP_P_deviationM(S) HEDDLE_NPP_P_reduceM(S, Npp64f), Npp64f *pStdDev
#define HEDDLE_NPP_A_deviationM HEDDLE_NPP_A_reduceM, pStdDev
#define HEDDLE_NPP_P_deviationC(S)                                                                 \
  HEDDLE_NPP_P_source(S), int nCOI, Npp8u *pDeviceBuffer, Npp64f *pMean, Npp64f *pStdDev
#define HEDDLE_NPP_A_deviationC HEDDLE_NPP_A_source, nCOI, pDeviceBuffer, pMean, pStdDev
#define HEDDLE_NPP_P_deviationCM(S) HEDDLE_NPP_P_reduceCM(S, Npp64f), Npp64f *pStdDev
#define HEDDLE_NPP_A_deviationCM HEDDLE_NPP_A_reduceCM, pStdDev
// (..., pDeviceBuffer, pResult, pIndexX, pIndexY)
#define HEDDLE_NPP_P_indexed(S) HEDDLE_NPP_P_reduce(S, S), int *pIndexX, int *pIndexY
#define HEDDLE_NPP_A_indexed HEDDLE_NPP_A_reduce, pIndexX, pIndexY
// (..., pMin, pMax, pDeviceBuffer)
#define HEDDLE_NPP_P_minMax(S) HEDDLE_NPP_P_source(S), S *pMin, S *pMax, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_minMax HEDDLE_NPP_A_source, pMin, pMax, pDeviceBuffer
#define HEDDLE_NPP_P_extremes(S)                                                                   \
  S *pMinValue, S *pMaxValue, NppiPoint *pMinIndex, NppiPoint *pMaxIndex, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_extremes pMinValue, pMaxValue, pMinIndex, pMaxIndex, pDeviceBuffer
#define HEDDLE_NPP_P_minMaxIndex(S) HEDDLE_NPP_P_source(S), HEDDLE_NPP_P_extremes(S)
#define HEDDLE_NPP_A_minMaxIndex HEDDLE_NPP_A_source, HEDDLE_NPP_A_extremes
#define HEDDLE_NPP_P_minMaxIndexM(S) HEDDLE_NPP_P_masked(S), HEDDLE_NPP_P_extremes(S)
#define HEDDLE_NPP_A_minMaxIndexM HEDDLE_NPP_A_masked, HEDDLE_NPP_A_extremes
#define HEDDLE_NPP_P_minMaxIndexC(S) HEDDLE_NPP_P_source(S), int nCOI, HEDDLE_NPP_P_extremes(S)
#define HEDDLE_NPP_A_minMaxIndexC HEDDLE_NPP_A_source, nCOI, HEDDLE_NPP_A_extremes
#define HEDDLE_NPP_P_minMaxIndexCM(S) HEDDLE_NPP_P_masked(S), int nCOI, HEDDLE_NPP_P_extremes(S)
#define HEDDLE_NPP_A_minMaxIndexCM HEDDLE_NPP_A_masked, nCOI, HEDDLE_NPP_A_extremes
// (..., pNorm, pDeviceBuffer): norms, scalar products, errors
#define HEDDLE_NPP_P_norm(S) HEDDLE_NPP_P_source(S), Npp64f *pNorm, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_norm HEDDLE_NPP_A_source, pNorm, pDeviceBuffer
#define HEDDLE_NPP_P_normM(S) HEDDLE_NPP_P_masked(S), Npp64f *pNorm, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_normM HEDDLE_NPP_A_masked, pNorm, pDeviceBuffer
#define HEDDLE_NPP_P_normCM(S) HEDDLE_NPP_P_masked(S), int nCOI, Npp64f *pNorm, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_normCM HEDDLE_NPP_A_masked, nCOI, pNorm, pDeviceBuffer
#define HEDDLE_NPP_P_norm2(S, R) HEDDLE_NPP_P_sources(S), R *pNorm, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_norm2 HEDDLE_NPP_A_sources, pNorm, pDeviceBuffer
#define HEDDLE_NPP_P_norm2M(S)                                                                     \
  const S *pSrc1, int nSrc1Step, const S *pSrc2, int nSrc2Step, const Npp8u *pMask, int nMaskStep, \
      NppiSize oSizeROI, Npp64f *pNorm, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_norm2M                                                                        \
  pSrc1, nSrc1Step, pSrc2, nSrc2Step, pMask, nMaskStep, oSizeROI, pNorm, pDeviceBuffer
#define HEDDLE_NPP_P_count(S, K)                                                                   \
  HEDDLE_NPP_P_source(S), int *pCounts, K nLowerBound, K nUpperBound, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_count HEDDLE_NPP_A_source, pCounts, nLowerBound, nUpperBound, pDeviceBuffer

// ---- lists: a function and the one that says how much scratch memory it needs
#define HEDDLE_NPP_SIZED(X, name, t, c)                                                            \
  X(nppi##name##GetBufferHostSize_##t##_##c##R, bufferSize, (), 0)
#define HEDDLE_NPP_REDUCE64(X, op, t, c)                                                           \
  X(nppi##op##_##t##_##c##R, reduce, (Npp##t, Npp64f), op, c) HEDDLE_NPP_SIZED(X, op, t, c)
#define HEDDLE_NPP_REDUCE(X, op, t, c)                                                             \
  X(nppi##op##_##t##_##c##R, reduce, (Npp##t, Npp##t), op, c) HEDDLE_NPP_SIZED(X, op, t, c)
#define HEDDLE_NPP_INDEXED(X, op, t, c)                                                            \
  X(nppi##op##_##t##_##c##R, indexed, (Npp##t), op, c) HEDDLE_NPP_SIZED(X, op, t, c)
#define HEDDLE_NPP_MIN_MAX(X, op, t, c)                                                            \
  X(nppiMinMax_##t##_##c##R, minMax, (Npp##t), c) HEDDLE_NPP_SIZED(X, MinMax, t, c)
#define HEDDLE_NPP_EACH_TYPE(C, M, X, op)                                                          \
  C(M, X, op, 8u) C(M, X, op, 16u) C(M, X, op, 16s) C(M, X, op, 32f)
#define HEDDLE_NPP_EVERY(X, op, t, c) X(nppi##op##_##t##_##c##IR, every, (Npp##t, Npp##t), op, c)
#define HEDDLE_NPP_P_every(S, D) HEDDLE_NPP_P_binaryI(S, D)
#define HEDDLE_NPP_A_every HEDDLE_NPP_A_binaryI
#define HEDDLE_NPPI_REDUCE(X)                                                                      \
  HEDDLE_NPP_EACH_TYPE(HEDDLE_NPP_C134A, HEDDLE_NPP_REDUCE64, X, Sum)                              \
  HEDDLE_NPP_EACH_TYPE(HEDDLE_NPP_C134A, HEDDLE_NPP_REDUCE64, X, Mean)                             \
  HEDDLE_NPP_EACH_TYPE(HEDDLE_NPP_C134A, HEDDLE_NPP_REDUCE, X, Min)                                \
  HEDDLE_NPP_EACH_TYPE(HEDDLE_NPP_C134A, HEDDLE_NPP_REDUCE, X, Max)                                \
  HEDDLE_NPP_EACH_TYPE(HEDDLE_NPP_C134A, HEDDLE_NPP_INDEXED, X, MinIndx)                           \
  HEDDLE_NPP_EACH_TYPE(HEDDLE_NPP_C134A, HEDDLE_NPP_INDEXED, X, MaxIndx)                           \
  HEDDLE_NPP_EACH_TYPE(HEDDLE_NPP_C134A, HEDDLE_NPP_MIN_MAX, X, )                                  \
  HEDDLE_NPP_EACH_TYPE(HEDDLE_NPP_C134A, HEDDLE_NPP_EVERY, X, MaxEvery)                            \
  HEDDLE_NPP_EACH_TYPE(HEDDLE_NPP_C134A, HEDDLE_NPP_EVERY, X, MinEvery)

// With masks (C1MR), of one channel of three (C3CR, nCOI is 1, 2 or 3), and both (C3CMR)
#define HEDDLE_NPP_MASKED_OF(X, t)                                                                 \
  X(nppiMean_##t##_C1MR, reduceM, (Npp##t, Npp64f), Mean)                                          \
  X(nppiMean_##t##_C3CMR, reduceCM, (Npp##t, Npp64f), Mean)                                        \
  HEDDLE_NPP_SIZED(X, Mean, t, C1M)                                                                \
  HEDDLE_NPP_SIZED(X, Mean, t, C3CM)                                                               \
  X(nppiMean_StdDev_##t##_C1R, deviation, (Npp##t), MeanStdDev)                                    \
  X(nppiMean_StdDev_##t##_C1MR, deviationM, (Npp##t), MeanStdDev)                                  \
  X(nppiMean_StdDev_##t##_C3CR, deviationC, (Npp##t), MeanStdDev)                                  \
  X(nppiMean_StdDev_##t##_C3CMR, deviationCM, (Npp##t), MeanStdDev)                                \
  HEDDLE_NPP_SIZED(X, MeanStdDev, t, C1)                                                           \
  HEDDLE_NPP_SIZED(X, MeanStdDev, t, C1M)                                                          \
  HEDDLE_NPP_SIZED(X, MeanStdDev, t, C3C)                                                          \
  HEDDLE_NPP_SIZED(X, MeanStdDev, t, C3CM)                                                         \
  X(nppiMinMaxIndx_##t##_C1R, minMaxIndex, (Npp##t), 1)                                            \
  X(nppiMinMaxIndx_##t##_C1MR, minMaxIndexM, (Npp##t), 1)                                          \
  X(nppiMinMaxIndx_##t##_C3CR, minMaxIndexC, (Npp##t), 3)                                          \
  X(nppiMinMaxIndx_##t##_C3CMR, minMaxIndexCM, (Npp##t), 3)                                        \
  HEDDLE_NPP_SIZED(X, MinMaxIndx, t, C1)                                                           \
  HEDDLE_NPP_SIZED(X, MinMaxIndx, t, C1M)                                                          \
  HEDDLE_NPP_SIZED(X, MinMaxIndx, t, C3C)                                                          \
  HEDDLE_NPP_SIZED(X, MinMaxIndx, t, C3CM)                                                         \
  HEDDLE_NPP_NORMS_MASKED(X, Inf, t)                                                               \
  HEDDLE_NPP_NORMS_MASKED(X, L1, t)                                                                \
  HEDDLE_NPP_NORMS_MASKED(X, L2, t)
#define HEDDLE_NPP_NORMS_MASKED(X, n, t)                                                           \
  X(nppiNorm_##n##_##t##_C1MR, normM, (Npp##t), Norm##n)                                           \
  X(nppiNorm_##n##_##t##_C3CMR, normCM, (Npp##t), Norm##n)                                         \
  X(nppiNormDiff_##n##_##t##_C1MR, norm2M, (Npp##t), Diff##n)                                      \
  X(nppiNormRel_##n##_##t##_C1MR, norm2M, (Npp##t), Rel##n)                                        \
  HEDDLE_NPP_SIZED(X, Norm##n, t, C1M)                                                             \
  HEDDLE_NPP_SIZED(X, Norm##n, t, C3CM)                                                            \
  HEDDLE_NPP_SIZED(X, NormDiff##n, t, C1M)                                                         \
  HEDDLE_NPP_SIZED(X, NormRel##n, t, C1M)
#define HEDDLE_NPPI_MASKED(X)                                                                      \
  HEDDLE_NPP_MASKED_OF(X, 8u)                                                                      \
  HEDDLE_NPP_MASKED_OF(X, 8s)                                                                      \
  HEDDLE_NPP_MASKED_OF(X, 16u)                                                                     \
  HEDDLE_NPP_MASKED_OF(X, 32f)

#define HEDDLE_NPP_NORM(X, n, t, c)                                                                \
  X(nppiNorm_##n##_##t##_##c##R, norm, (Npp##t), Norm##n, c)                                       \
  X(nppiNormDiff_##n##_##t##_##c##R, norm2, (Npp##t, Npp64f), Diff##n, c)                          \
  X(nppiNormRel_##n##_##t##_##c##R, norm2, (Npp##t, Npp64f), Rel##n, c)                            \
  HEDDLE_NPP_SIZED(X, Norm##n, t, c)                                                               \
  HEDDLE_NPP_SIZED(X, NormDiff##n, t, c)                                                           \
  HEDDLE_NPP_SIZED(X, NormRel##n, t, c)
#define HEDDLE_NPP_DOT(X, op, t, c)                                                                \
  X(nppiDotProd_##t##64f_##c##R, norm2, (Npp##t, Npp64f), Dot, c)                                  \
  X(nppiDotProdGetBufferHostSize_##t##64f_##c##R, bufferSize, (), 0)
#define HEDDLE_NPP_COUNT(X, t, c, K)                                                               \
  X(nppiCountInRange_##t##_##c##R, count, (Npp##t, K), c) HEDDLE_NPP_SIZED(X, CountInRange, t, c)
#define HEDDLE_NPP_QUALITY(X, t, S, c)                                                             \
  X(nppiQualityIndex_##t##_##c##R, norm2, (S, Npp32f), Quality, c)                                 \
  X(nppiQualityIndexGetBufferHostSize_##t##_##c##R, bufferSize, (), 0)
#define HEDDLE_NPP_ERROR_OF(X, op, t, c)                                                           \
  X(nppi##op##_##t##_##c##R, norm2, (Npp##t, Npp64f), op, c) HEDDLE_NPP_SIZED(X, op, t, c)
#define HEDDLE_NPP_ERRORS(X, op)                                                                   \
  HEDDLE_NPP_C134(HEDDLE_NPP_ERROR_OF, X, op, 8u)                                                  \
  HEDDLE_NPP_C134(HEDDLE_NPP_ERROR_OF, X, op, 8s)                                                  \
  HEDDLE_NPP_C134(HEDDLE_NPP_ERROR_OF, X, op, 16u)                                                 \
  HEDDLE_NPP_C134(HEDDLE_NPP_ERROR_OF, X, op, 16s)                                                 \
  HEDDLE_NPP_C134(HEDDLE_NPP_ERROR_OF, X, op, 32u)                                                 \
  HEDDLE_NPP_C134(HEDDLE_NPP_ERROR_OF, X, op, 32s)                                                 \
  HEDDLE_NPP_C134(HEDDLE_NPP_ERROR_OF, X, op, 32f)                                                 \
  HEDDLE_NPP_C134(HEDDLE_NPP_ERROR_OF, X, op, 64f)
#define HEDDLE_NPPI_NORMS(X)                                                                       \
  HEDDLE_NPP_EACH_TYPE(HEDDLE_NPP_C134A, HEDDLE_NPP_NORM, X, Inf)                                  \
  HEDDLE_NPP_EACH_TYPE(HEDDLE_NPP_C134A, HEDDLE_NPP_NORM, X, L1)                                   \
  HEDDLE_NPP_EACH_TYPE(HEDDLE_NPP_C134A, HEDDLE_NPP_NORM, X, L2)                                   \
  HEDDLE_NPP_EACH_TYPE(HEDDLE_NPP_C134A, HEDDLE_NPP_DOT, X, )                                      \
  HEDDLE_NPP_C134A(HEDDLE_NPP_DOT, X, , 8s)                                                        \
  HEDDLE_NPP_C134A(HEDDLE_NPP_DOT, X, , 32s)                                                       \
  HEDDLE_NPP_C134A(HEDDLE_NPP_DOT, X, , 32u)                                                       \
  HEDDLE_NPP_COUNT(X, 8u, C1, Npp8u)                                                               \
  HEDDLE_NPP_COUNT(X, 8u, C3, const Npp8u *)                                                       \
  HEDDLE_NPP_COUNT(X, 8u, AC4, const Npp8u *)                                                      \
  HEDDLE_NPP_COUNT(X, 32f, C1, Npp32f)                                                             \
  HEDDLE_NPP_COUNT(X, 32f, C3, const Npp32f *)                                                     \
  HEDDLE_NPP_COUNT(X, 32f, AC4, const Npp32f *)                                                    \
  HEDDLE_NPP_QUALITY(X, 8u32f, Npp8u, C1)                                                          \
  HEDDLE_NPP_QUALITY(X, 8u32f, Npp8u, C3)                                                          \
  HEDDLE_NPP_QUALITY(X, 8u32f, Npp8u, AC4)                                                         \
  HEDDLE_NPP_QUALITY(X, 16u32f, Npp16u, C1)                                                        \
  HEDDLE_NPP_QUALITY(X, 16u32f, Npp16u, C3)                                                        \
  HEDDLE_NPP_QUALITY(X, 16u32f, Npp16u, AC4)                                                       \
  HEDDLE_NPP_QUALITY(X, 32f, Npp32f, C1)                                                           \
  HEDDLE_NPP_QUALITY(X, 32f, Npp32f, C3)                                                           \
  HEDDLE_NPP_QUALITY(X, 32f, Npp32f, AC4)                                                          \
  HEDDLE_NPP_ERRORS(X, AverageError)                                                               \
  HEDDLE_NPP_ERRORS(X, MaximumError)                                                               \
  HEDDLE_NPP_ERRORS(X, AverageRelativeError)                                                       \
  HEDDLE_NPP_ERRORS(X, MaximumRelativeError)                                                       \
  X(nppiMSE_8u_C1R, norm2, (Npp8u, Npp32f), Mse, C1)                                               \
  X(nppiMSE_8u_C3R, norm2, (Npp8u, Npp32f), Mse, C3)                                               \
  X(nppiPSNR_8u_C1R, norm2, (Npp8u, Npp32f), Psnr, C1)                                             \
  X(nppiPSNR_8u_C3R, norm2, (Npp8u, Npp32f), Psnr, C3)                                             \
  HEDDLE_NPP_SIZED(X, MSE, 8u, C1)                                                                 \
  HEDDLE_NPP_SIZED(X, MSE, 8u, C3)                                                                 \
  HEDDLE_NPP_SIZED(X, PSNR, 8u, C1)                                                                \
  HEDDLE_NPP_SIZED(X, PSNR, 8u, C3)

// ---- integral images have a row and a column more than their source
#define HEDDLE_NPP_P_integral(D)                                                                   \
  const Npp8u *pSrc, int nSrcStep, D *pDst, int nDstStep, NppiSize oROI, D nVal
#define HEDDLE_NPP_A_integral pSrc, nSrcStep, pDst, nDstStep, oROI, nVal
#define HEDDLE_NPP_P_sqrIntegral(D, Q)                                                             \
  const Npp8u *pSrc, int nSrcStep, D *pDst, int nDstStep, Q *pSqr, int nSqrStep, NppiSize oSrcROI, \
      D nVal, Q nValSqr
#define HEDDLE_NPP_A_sqrIntegral                                                                   \
  pSrc, nSrcStep, pDst, nDstStep, pSqr, nSqrStep, oSrcROI, nVal, nValSqr
#define HEDDLE_NPP_P_rectStdDev(S)                                                                 \
  const S *pSrc, int nSrcStep, const Npp64f *pSqr, int nSqrStep, Npp32f *pDst, int nDstStep,       \
      NppiSize oSizeROI, NppiRect oRect
#define HEDDLE_NPP_A_rectStdDev pSrc, nSrcStep, pSqr, nSqrStep, pDst, nDstStep, oSizeROI, oRect
#define HEDDLE_NPPI_INTEGRAL(X)                                                                    \
  X(nppiIntegral_8u32s_C1R, integral, (Npp32s), 0)                                                 \
  X(nppiIntegral_8u32f_C1R, integral, (Npp32f), 0)                                                 \
  X(nppiSqrIntegral_8u32s_C1R, sqrIntegral, (Npp32s, Npp32s), 0)                                   \
  X(nppiSqrIntegral_8u32s64f_C1R, sqrIntegral, (Npp32s, Npp64f), 0)                                \
  X(nppiSqrIntegral_8u32f64f_C1R, sqrIntegral, (Npp32f, Npp64f), 0)                                \
  X(nppiRectStdDev_32s32f_C1R, rectStdDev, (Npp32s), 0)                                            \
  X(nppiRectStdDev_32f_C1R, rectStdDev, (Npp32f), 0)

// ---- histograms
#define HEDDLE_NPP_P_even(S)                                                                       \
  HEDDLE_NPP_P_source(S), Npp32s *pHist, int nLevels, Npp32s nLowerLevel, Npp32s nUpperLevel,      \
      Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_even                                                                          \
  HEDDLE_NPP_A_source, pHist, nLevels, nLowerLevel, nUpperLevel, pDeviceBuffer
#define HEDDLE_NPP_P_evens(S)                                                                      \
  HEDDLE_NPP_P_source(S), Npp32s **pHist, int *nLevels, Npp32s *nLowerLevel, Npp32s *nUpperLevel,  \
      Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_evens HEDDLE_NPP_A_even
#define HEDDLE_NPP_P_range(S, L)                                                                   \
  HEDDLE_NPP_P_source(S), Npp32s *pHist, const L *pLevels, int nLevels, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_range HEDDLE_NPP_A_source, pHist, pLevels, nLevels, pDeviceBuffer
#define HEDDLE_NPP_P_ranges(S, L)                                                                  \
  HEDDLE_NPP_P_source(S), Npp32s **pHist, const L **pLevels, int *nLevels, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_ranges HEDDLE_NPP_A_range
#define HEDDLE_NPP_P_histogramSize() NppiSize oSizeROI, int nLevels, size_t *hpBufferSize
#define HEDDLE_NPP_A_histogramSize oSizeROI, nLevels, hpBufferSize
#define HEDDLE_NPP_P_histogramSizes() NppiSize oSizeROI, int *nLevels, size_t *hpBufferSize
#define HEDDLE_NPP_A_histogramSizes oSizeROI, nLevels, hpBufferSize
#define HEDDLE_NPP_RANGES(X, op, t, c, L)                                                          \
  X(nppiHistogramRange_##t##_##c##R, ranges, (Npp##t, L), c)                                       \
  X(nppiHistogramRangeGetBufferSize_##t##_##c##R, histogramSizes, (), c)
#define HEDDLE_NPP_RANGE_OF(X, t, L)                                                               \
  X(nppiHistogramRange_##t##_C1R, range, (Npp##t, L), C1)                                          \
  X(nppiHistogramRangeGetBufferSize_##t##_C1R, histogramSize, (), C1)                              \
  HEDDLE_NPP_RANGES(X, , t, C3, L)                                                                 \
  HEDDLE_NPP_RANGES(X, , t, C4, L) HEDDLE_NPP_RANGES(X, , t, AC4, L)
#define HEDDLE_NPP_EVENS(X, op, t, c)                                                              \
  X(nppiHistogramEven_##t##_##c##R, evens, (Npp##t), c)                                            \
  X(nppiHistogramEvenGetBufferSize_##t##_##c##R, histogramSizes, (), c)
#define HEDDLE_NPP_EVEN_OF(X, t)                                                                   \
  X(nppiHistogramEven_##t##_C1R, even, (Npp##t), C1)                                               \
  X(nppiHistogramEvenGetBufferSize_##t##_C1R, histogramSize, (), C1)                               \
  HEDDLE_NPP_C34A(HEDDLE_NPP_EVENS, X, , t)
#define HEDDLE_NPPI_HISTOGRAM(X)                                                                   \
  HEDDLE_NPP_EVEN_OF(X, 8u)                                                                        \
  HEDDLE_NPP_EVEN_OF(X, 16u)                                                                       \
  HEDDLE_NPP_EVEN_OF(X, 16s)                                                                       \
  HEDDLE_NPP_RANGE_OF(X, 8u, Npp32s)                                                               \
  HEDDLE_NPP_RANGE_OF(X, 16u, Npp32s)                                                              \
  HEDDLE_NPP_RANGE_OF(X, 16s, Npp32s)                                                              \
  HEDDLE_NPP_RANGE_OF(X, 32f, Npp32f)

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPI_REDUCE(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_MASKED(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_NORMS(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_INTEGRAL(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_HISTOGRAM(HEDDLE_NPP_DECLARE)
NppStatus nppiEvenLevelsHost_32s(Npp32s *hpLevels, int nLevels, Npp32s nLowerLevel,
                                 Npp32s nUpperLevel);
NppStatus nppiEvenLevelsHost_32s_Ctx(Npp32s *hpLevels, int nLevels, Npp32s nLowerLevel,
                                     Npp32s nUpperLevel, NppStreamContext nppStreamCtx);
#ifdef __cplusplus
}
#endif

#endif
