// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filters (libnppif): nppiFilter, Filter32f, FilterRow, FilterColumn, FilterBox, FilterMin,
// FilterMax, FilterMedian, the fixed ones (Prewitt, Scharr, Sobel, Roberts, Laplace, Gauss,
// HighPass, LowPass, Sharpen), GaussAdvanced, BilateralGauss, gradient vectors, Canny, adaptive
// thresholds, labels of connected regions and watersheds. Forms with Border repeat the image's edge
// where the mask reaches outside it (NPP_BORDER_REPLICATE); the others read what is there in
// memory.
#ifndef NV_NPPI_FILTERING_FUNCTIONS_H
#define NV_NPPI_FILTERING_FUNCTIONS_H

#include "__npp/declare.h"
#include "__npp/distance.h"
#include "__npp/neighbourhood.h"
#include "__npp/regions.h"

// ---- rows and columns: (..., oROI, pKernel, nMaskSize, nAnchor[, nDivisor])
#define HEDDLE_NPP_P_line(S, D, K)                                                                 \
  HEDDLE_NPP_P_unary(S, D), const K *pKernel, Npp32s nMaskSize, Npp32s nAnchor
#define HEDDLE_NPP_A_line HEDDLE_NPP_A_unary, pKernel, nMaskSize, nAnchor
#define HEDDLE_NPP_P_lineDivisor(S, D, K) HEDDLE_NPP_P_line(S, D, K), Npp32s nDivisor
#define HEDDLE_NPP_A_lineDivisor HEDDLE_NPP_A_line, nDivisor
#define HEDDLE_NPP_P_lineBorder(S, D, K)                                                           \
  HEDDLE_NPP_P_border(S, D), const K *pKernel, Npp32s nMaskSize, Npp32s nAnchor,                   \
      NppiBorderType eBorderType
#define HEDDLE_NPP_A_lineBorder HEDDLE_NPP_A_border, pKernel, nMaskSize, nAnchor, eBorderType
#define HEDDLE_NPP_P_lineDivisorBorder(S, D, K)                                                    \
  HEDDLE_NPP_P_border(S, D), const K *pKernel, Npp32s nMaskSize, Npp32s nAnchor, Npp32s nDivisor,  \
      NppiBorderType eBorderType
#define HEDDLE_NPP_A_lineDivisorBorder                                                             \
  HEDDLE_NPP_A_border, pKernel, nMaskSize, nAnchor, nDivisor, eBorderType
#define HEDDLE_NPP_LINE_S(X, op, t, c)                                                             \
  X(nppiFilter##op##_##t##_##c##R, lineDivisor, (Npp##t, Npp##t, Npp32s), op, c)                   \
  X(nppiFilter##op##Border_##t##_##c##R, lineDivisorBorder, (Npp##t, Npp##t, Npp32s), op, c)       \
  X(nppiFilter##op##32f_##t##_##c##R, line, (Npp##t, Npp##t, Npp32f), op, c)                       \
  X(nppiFilter##op##Border32f_##t##_##c##R, lineBorder, (Npp##t, Npp##t, Npp32f), op, c)
#define HEDDLE_NPP_LINE_F(X, op, t, c)                                                             \
  X(nppiFilter##op##_##t##_##c##R, line, (Npp##t, Npp##t, Npp##t), op, c)                          \
  X(nppiFilter##op##Border_##t##_##c##R, lineBorder, (Npp##t, Npp##t, Npp##t), op, c)
#define HEDDLE_NPP_LINES(X, op)                                                                    \
  HEDDLE_NPP_C134A(HEDDLE_NPP_LINE_S, X, op, 8u)                                                   \
  HEDDLE_NPP_C134A(HEDDLE_NPP_LINE_S, X, op, 16u)                                                  \
  HEDDLE_NPP_C134A(HEDDLE_NPP_LINE_S, X, op, 16s)                                                  \
  HEDDLE_NPP_C134A(HEDDLE_NPP_LINE_F, X, op, 32f)                                                  \
  X(nppiFilter##op##_64f_C1R, line, (Npp64f, Npp64f, Npp64f), op, C1)

// ---- any mask: (..., oSizeROI, pKernel, oKernelSize, oAnchor[, nDivisor]); the coefficients lie
// in memory in reverse order
#define HEDDLE_NPP_P_masked2(S, D, K)                                                              \
  HEDDLE_NPP_P_unary(S, D), const K *pKernel, NppiSize oKernelSize, NppiPoint oAnchor
#define HEDDLE_NPP_A_masked2 HEDDLE_NPP_A_unary, pKernel, oKernelSize, oAnchor
#define HEDDLE_NPP_P_maskedDivisor(S, D, K) HEDDLE_NPP_P_masked2(S, D, K), Npp32s nDivisor
#define HEDDLE_NPP_A_maskedDivisor HEDDLE_NPP_A_masked2, nDivisor
#define HEDDLE_NPP_P_maskedBorder(S, D, K)                                                         \
  HEDDLE_NPP_P_border(S, D), const K *pKernel, NppiSize oKernelSize, NppiPoint oAnchor,            \
      NppiBorderType eBorderType
#define HEDDLE_NPP_A_maskedBorder HEDDLE_NPP_A_border, pKernel, oKernelSize, oAnchor, eBorderType
#define HEDDLE_NPP_P_maskedDivisorBorder(S, D, K)                                                  \
  HEDDLE_NPP_P_border(S, D), const K *pKernel, NppiSize oKernelSize, NppiPoint oAnchor,            \
      Npp32s nDivisor, NppiBorderType eBorderType
#define HEDDLE_NPP_A_maskedDivisorBorder                                                           \
  HEDDLE_NPP_A_border, pKernel, oKernelSize, oAnchor, nDivisor, eBorderType
#define HEDDLE_NPP_FILTER_S(X, op, t, c)                                                           \
  X(nppiFilter_##t##_##c##R, maskedDivisor, (Npp##t, Npp##t, Npp32s), c)                           \
  X(nppiFilterBorder_##t##_##c##R, maskedDivisorBorder, (Npp##t, Npp##t, Npp32s), c)
#define HEDDLE_NPP_FILTER_32F(X, op, t, c)                                                         \
  X(nppiFilter32f_##t##_##c##R, masked2, (Npp##t, Npp##t, Npp32f), c)                              \
  X(nppiFilterBorder32f_##t##_##c##R, maskedBorder, (Npp##t, Npp##t, Npp32f), c)
#define HEDDLE_NPP_FILTER_F(X, op, t, c)                                                           \
  X(nppiFilter_##t##_##c##R, masked2, (Npp##t, Npp##t, Npp##t), c)                                 \
  X(nppiFilterBorder_##t##_##c##R, maskedBorder, (Npp##t, Npp##t, Npp##t), c)
#define HEDDLE_NPP_FILTER_WIDE(X, op, t, c)                                                        \
  X(nppiFilter32f_##t##16s_##c##R, masked2, (Npp##t, Npp16s, Npp32f), c)                           \
  X(nppiFilterBorder32f_##t##16s_##c##R, maskedBorder, (Npp##t, Npp16s, Npp32f), c)
#define HEDDLE_NPPI_GENERAL_FILTER(X)                                                              \
  HEDDLE_NPP_LINES(X, Row)                                                                         \
  HEDDLE_NPP_LINES(X, Column)                                                                      \
  HEDDLE_NPP_C134A(HEDDLE_NPP_FILTER_S, X, , 8u)                                                   \
  HEDDLE_NPP_C134A(HEDDLE_NPP_FILTER_S, X, , 16u)                                                  \
  HEDDLE_NPP_C134A(HEDDLE_NPP_FILTER_S, X, , 16s)                                                  \
  HEDDLE_NPP_C134A(HEDDLE_NPP_FILTER_F, X, , 32f)                                                  \
  HEDDLE_NPP_FILTER_F(X, , 32f, C2)                                                                \
  X(nppiFilter_64f_C1R, masked2, (Npp64f, Npp64f, Npp64f), C1)                                     \
  HEDDLE_NPP_C134A(HEDDLE_NPP_FILTER_32F, X, , 8u)                                                 \
  HEDDLE_NPP_FILTER_32F(X, , 8u, C2)                                                               \
  HEDDLE_NPP_C134A(HEDDLE_NPP_FILTER_32F, X, , 8s)                                                 \
  HEDDLE_NPP_FILTER_32F(X, , 8s, C2)                                                               \
  HEDDLE_NPP_C134A(HEDDLE_NPP_FILTER_32F, X, , 16u)                                                \
  HEDDLE_NPP_C134A(HEDDLE_NPP_FILTER_32F, X, , 16s)                                                \
  HEDDLE_NPP_C134A(HEDDLE_NPP_FILTER_32F, X, , 32s)                                                \
  HEDDLE_NPP_C134A(HEDDLE_NPP_FILTER_WIDE, X, , 8u)                                                \
  HEDDLE_NPP_C134A(HEDDLE_NPP_FILTER_WIDE, X, , 8s)

// ---- boxes: (..., oSizeROI, oMaskSize, oAnchor)
#define HEDDLE_NPP_P_box(S) HEDDLE_NPP_P_unary(S, S), NppiSize oMaskSize, NppiPoint oAnchor
#define HEDDLE_NPP_A_box HEDDLE_NPP_A_unary, oMaskSize, oAnchor
#define HEDDLE_NPP_P_boxBorder(S)                                                                  \
  HEDDLE_NPP_P_border(S, S), NppiSize oMaskSize, NppiPoint oAnchor, NppiBorderType eBorderType
#define HEDDLE_NPP_A_boxBorder HEDDLE_NPP_A_border, oMaskSize, oAnchor, eBorderType
#define HEDDLE_NPP_P_median(S) HEDDLE_NPP_P_box(S), Npp8u *pBuffer
#define HEDDLE_NPP_A_median HEDDLE_NPP_A_box, pBuffer
#define HEDDLE_NPP_P_medianBorder(S)                                                               \
  HEDDLE_NPP_P_border(S, S), NppiSize oMaskSize, NppiPoint oAnchor, Npp8u *pBuffer,                \
      NppiBorderType eBorderType
#define HEDDLE_NPP_A_medianBorder HEDDLE_NPP_A_border, oMaskSize, oAnchor, pBuffer, eBorderType
#define HEDDLE_NPP_P_medianSize() NppiSize oSizeROI, NppiSize oMaskSize, Npp32u *nBufferSize
#define HEDDLE_NPP_A_medianSize oSizeROI, oMaskSize, nBufferSize
#define HEDDLE_NPP_BOX(X, op, t, c)                                                                \
  X(nppiFilter##op##_##t##_##c##R, box, (Npp##t), op, c)                                           \
  X(nppiFilter##op##Border_##t##_##c##R, boxBorder, (Npp##t), op, c)
#define HEDDLE_NPP_MEDIAN(X, op, t, c)                                                             \
  X(nppiFilterMedian_##t##_##c##R, median, (Npp##t), c)                                            \
  X(nppiFilterMedianBorder_##t##_##c##R, medianBorder, (Npp##t), c)                                \
  X(nppiFilterMedianGetBufferSize_##t##_##c##R, medianSize, (), 0)                                 \
  X(nppiFilterMedianBorderGetBufferSize_##t##_##c##R, medianSize, (), 0)
#define HEDDLE_NPP_FOUR_TYPES(M, X, op)                                                            \
  HEDDLE_NPP_C134A(M, X, op, 8u)                                                                   \
  HEDDLE_NPP_C134A(M, X, op, 16u) HEDDLE_NPP_C134A(M, X, op, 16s) HEDDLE_NPP_C134A(M, X, op, 32f)
#define HEDDLE_NPPI_BOX(X)                                                                         \
  HEDDLE_NPP_FOUR_TYPES(HEDDLE_NPP_BOX, X, Box)                                                    \
  HEDDLE_NPP_FOUR_TYPES(HEDDLE_NPP_BOX, X, Max)                                                    \
  HEDDLE_NPP_FOUR_TYPES(HEDDLE_NPP_BOX, X, Min)                                                    \
  X(nppiFilterBox_64f_C1R, box, (Npp64f), Box, C1)                                                 \
  HEDDLE_NPP_FOUR_TYPES(HEDDLE_NPP_MEDIAN, X, )

// ---- fixed masks; some in the sizes that eMaskSize names
#define HEDDLE_NPP_P_fixed(S, D) HEDDLE_NPP_P_unary(S, D)
#define HEDDLE_NPP_A_fixed HEDDLE_NPP_A_unary
#define HEDDLE_NPP_P_fixedBorder(S, D) HEDDLE_NPP_P_border(S, D), NppiBorderType eBorderType
#define HEDDLE_NPP_A_fixedBorder HEDDLE_NPP_A_border, eBorderType
#define HEDDLE_NPP_P_sized(S, D) HEDDLE_NPP_P_unary(S, D), NppiMaskSize eMaskSize
#define HEDDLE_NPP_A_sized HEDDLE_NPP_A_unary, eMaskSize
#define HEDDLE_NPP_P_sizedBorder(S, D)                                                             \
  HEDDLE_NPP_P_border(S, D), NppiMaskSize eMaskSize, NppiBorderType eBorderType
#define HEDDLE_NPP_A_sizedBorder HEDDLE_NPP_A_border, eMaskSize, eBorderType
#define HEDDLE_NPP_FIXED(X, op, t, c)                                                              \
  X(nppiFilter##op##_##t##_##c##R, fixed, (Npp##t, Npp##t), op, c)                                 \
  X(nppiFilter##op##Border_##t##_##c##R, fixedBorder, (Npp##t, Npp##t), op, c)
#define HEDDLE_NPP_SIZED_MASK(X, op, t, c)                                                         \
  X(nppiFilter##op##_##t##_##c##R, sized, (Npp##t, Npp##t), op, c)                                 \
  X(nppiFilter##op##Border_##t##_##c##R, sizedBorder, (Npp##t, Npp##t), op, c)
#define HEDDLE_NPP_SIZED_WIDE(X, op, s, d)                                                         \
  X(nppiFilter##op##_##s##d##_C1R, sized, (Npp##s, Npp##d), op, C1)                                \
  X(nppiFilter##op##Border_##s##d##_C1R, sizedBorder, (Npp##s, Npp##d), op, C1)
#define HEDDLE_NPP_THREE_TYPES(M, X, op)                                                           \
  HEDDLE_NPP_C134A(M, X, op, 8u) HEDDLE_NPP_C134A(M, X, op, 16s) HEDDLE_NPP_C134A(M, X, op, 32f)
#define HEDDLE_NPP_SOBEL(X, op)                                                                    \
  HEDDLE_NPP_THREE_TYPES(HEDDLE_NPP_FIXED, X, op)                                                  \
  HEDDLE_NPP_SIZED_WIDE(X, op, 8u, 16s)                                                            \
  HEDDLE_NPP_SIZED_WIDE(X, op, 8s, 16s)                                                            \
  X(nppiFilter##op##Mask_32f_C1R, sized, (Npp32f, Npp32f), op, C1)                                 \
  X(nppiFilter##op##MaskBorder_32f_C1R, sizedBorder, (Npp32f, Npp32f), op, C1)
#define HEDDLE_NPP_SCHARR(X, op)                                                                   \
  X(nppiFilter##op##_8u16s_C1R, fixed, (Npp8u, Npp16s), op, C1)                                    \
  X(nppiFilter##op##_8s16s_C1R, fixed, (Npp8s, Npp16s), op, C1)                                    \
  X(nppiFilter##op##_32f_C1R, fixed, (Npp32f, Npp32f), op, C1)                                     \
  X(nppiFilter##op##Border_8u16s_C1R, fixedBorder, (Npp8u, Npp16s), op, C1)                        \
  X(nppiFilter##op##Border_8s16s_C1R, fixedBorder, (Npp8s, Npp16s), op, C1)                        \
  X(nppiFilter##op##Border_32f_C1R, fixedBorder, (Npp32f, Npp32f), op, C1)
#define HEDDLE_NPPI_FIXED_FILTER(X)                                                                \
  HEDDLE_NPP_THREE_TYPES(HEDDLE_NPP_FIXED, X, PrewittHoriz)                                        \
  HEDDLE_NPP_THREE_TYPES(HEDDLE_NPP_FIXED, X, PrewittVert)                                         \
  HEDDLE_NPP_SCHARR(X, ScharrHoriz)                                                                \
  HEDDLE_NPP_SCHARR(X, ScharrVert)                                                                 \
  HEDDLE_NPP_SOBEL(X, SobelHoriz)                                                                  \
  HEDDLE_NPP_SOBEL(X, SobelVert)                                                                   \
  HEDDLE_NPP_THREE_TYPES(HEDDLE_NPP_FIXED, X, RobertsDown)                                         \
  HEDDLE_NPP_THREE_TYPES(HEDDLE_NPP_FIXED, X, RobertsUp)                                           \
  HEDDLE_NPP_THREE_TYPES(HEDDLE_NPP_SIZED_MASK, X, Laplace)                                        \
  HEDDLE_NPP_SIZED_WIDE(X, Laplace, 8u, 16s)                                                       \
  HEDDLE_NPP_SIZED_WIDE(X, Laplace, 8s, 16s)                                                       \
  HEDDLE_NPP_FOUR_TYPES(HEDDLE_NPP_SIZED_MASK, X, Gauss)                                           \
  HEDDLE_NPP_FOUR_TYPES(HEDDLE_NPP_SIZED_MASK, X, HighPass)                                        \
  HEDDLE_NPP_FOUR_TYPES(HEDDLE_NPP_SIZED_MASK, X, LowPass)                                         \
  HEDDLE_NPP_FOUR_TYPES(HEDDLE_NPP_FIXED, X, Sharpen)

// ---- nppiFilterGaussAdvanced: a separable mask of nFilterTaps coefficients in device memory;
// nppiFilterBilateralGaussBorder; nppiFilterThresholdAdaptiveBoxBorder
#define HEDDLE_NPP_P_taps(S) HEDDLE_NPP_P_unary(S, S), const int nFilterTaps, const Npp32f *pKernel
#define HEDDLE_NPP_A_taps HEDDLE_NPP_A_unary, nFilterTaps, pKernel
#define HEDDLE_NPP_P_tapsBorder(S)                                                                 \
  HEDDLE_NPP_P_border(S, S), const int nFilterTaps, const Npp32f *pKernel,                         \
      NppiBorderType eBorderType
#define HEDDLE_NPP_A_tapsBorder HEDDLE_NPP_A_border, nFilterTaps, pKernel, eBorderType
#define HEDDLE_NPP_P_bilateral(S)                                                                  \
  HEDDLE_NPP_P_border(S, S), const int nRadius, const int nStepBetweenSrcPixels,                   \
      const Npp32f nValSquareSigma, const Npp32f nPosSquareSigma, NppiBorderType eBorderType
#define HEDDLE_NPP_A_bilateral                                                                     \
  HEDDLE_NPP_A_border, nRadius, nStepBetweenSrcPixels, nValSquareSigma, nPosSquareSigma, eBorderType
#define HEDDLE_NPP_P_adaptive(S)                                                                   \
  HEDDLE_NPP_P_border(S, S), NppiSize oMaskSize, Npp32f nDelta, S nValGT, S nValLE,                \
      NppiBorderType eBorderType
#define HEDDLE_NPP_A_adaptive HEDDLE_NPP_A_border, oMaskSize, nDelta, nValGT, nValLE, eBorderType
#define HEDDLE_NPP_TAPS(X, op, t, c)                                                               \
  X(nppiFilterGaussAdvanced_##t##_##c##R, taps, (Npp##t), c)                                       \
  X(nppiFilterGaussAdvancedBorder_##t##_##c##R, tapsBorder, (Npp##t), c)
#define HEDDLE_NPP_BILATERAL(X, op, t, c)                                                          \
  X(nppiFilterBilateralGaussBorder_##t##_##c##R, bilateral, (Npp##t), c)
#define HEDDLE_NPPI_OTHER_FILTER(X)                                                                \
  HEDDLE_NPP_FOUR_TYPES(HEDDLE_NPP_TAPS, X, )                                                      \
  HEDDLE_NPP_C13(HEDDLE_NPP_BILATERAL, X, , 8u)                                                    \
  HEDDLE_NPP_C13(HEDDLE_NPP_BILATERAL, X, , 16u)                                                   \
  HEDDLE_NPP_C13(HEDDLE_NPP_BILATERAL, X, , 32f)                                                   \
  X(nppiFilterThresholdAdaptiveBoxBorder_8u_C1R, adaptive, (Npp8u), C1)

// ---- gradient vectors: nppiGradientVectorSobelBorder_8u16s_C1R(...); results that are not wanted
// have null pointers
#define HEDDLE_NPP_P_gradient(S, D)                                                                \
  const S *pSrc, int nSrcStep, NppiSize oSrcSize, NppiPoint oSrcOffset, D *pDstX, int nDstXStep,   \
      D *pDstY, int nDstYStep, D *pDstMag, int nDstMagStep, Npp32f *pDstAngle, int nDstAngleStep,  \
      NppiSize oSizeROI, NppiMaskSize eMaskSize, NppiNorm eNorm, NppiBorderType eBorderType
#define HEDDLE_NPP_A_gradient                                                                      \
  pSrc, nSrcStep, oSrcSize, oSrcOffset, pDstX, nDstXStep, pDstY, nDstYStep, pDstMag, nDstMagStep,  \
      pDstAngle, nDstAngleStep, oSizeROI, eMaskSize, eNorm, eBorderType
#define HEDDLE_NPP_GRADIENTS(X, op)                                                                \
  X(nppiGradientVector##op##Border_8u16s_C1R, gradient, (Npp8u, Npp16s), op##Vert, op##Horiz)      \
  X(nppiGradientVector##op##Border_16s32f_C1R, gradient, (Npp16s, Npp32f), op##Vert, op##Horiz)    \
  X(nppiGradientVector##op##Border_16u32f_C1R, gradient, (Npp16u, Npp32f), op##Vert, op##Horiz)    \
  X(nppiGradientVector##op##Border_32f_C1R, gradient, (Npp32f, Npp32f), op##Vert, op##Horiz)
#define HEDDLE_NPPI_GRADIENT(X)                                                                    \
  HEDDLE_NPP_GRADIENTS(X, Prewitt) HEDDLE_NPP_GRADIENTS(X, Scharr) HEDDLE_NPP_GRADIENTS(X, Sobel)

// ---- edges and regions
#define HEDDLE_NPP_P_canny()                                                                       \
  HEDDLE_NPP_P_border(Npp8u, Npp8u), NppiDifferentialKernel eFilterType, NppiMaskSize eMaskSize,   \
      Npp16s nLowThreshold, Npp16s nHighThreshold, NppiNorm eNorm, NppiBorderType eBorderType,     \
      Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_canny                                                                         \
  HEDDLE_NPP_A_border, eFilterType, eMaskSize, nLowThreshold, nHighThreshold, eNorm, eBorderType,  \
      pDeviceBuffer
// The scratch memory has magnitudes, angles and labels: 12 bytes a pixel.
#define HEDDLE_NPPI_CANNY_SIZES(X) X(nppiFilterCannyBorderGetBufferSize, regionSize, (), 12)
#define HEDDLE_NPPI_CANNY(X) X(nppiFilterCannyBorder_8u_C1R, canny, (), 0)

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPI_GENERAL_FILTER(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_BOX(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_FIXED_FILTER(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_OTHER_FILTER(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_GRADIENT(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_CANNY_SIZES(HEDDLE_NPP_DECLARE_SIZE)
HEDDLE_NPPI_CANNY(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_DISTANCE_SIZES(HEDDLE_NPP_DECLARE_SIZE)
HEDDLE_NPPI_DISTANCE(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_LABELS_SIZES(HEDDLE_NPP_DECLARE_SIZE)
HEDDLE_NPPI_LABELS(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_LABELS_INFO_SIZES(HEDDLE_NPP_DECLARE_SIZE)
HEDDLE_NPPI_LABELS_INFO(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_WATERSHED_SIZES(HEDDLE_NPP_DECLARE_SIZE)
HEDDLE_NPPI_WATERSHED(HEDDLE_NPP_DECLARE)
#ifdef __cplusplus
}
#endif

#endif
