// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Morphology (libnppim): nppiDilate, Erode, Dilate3x3, Erode3x3, GrayDilateBorder, GrayErodeBorder,
// MorphOpenBorder, MorphCloseBorder, MorphTopHatBorder, MorphBlackHatBorder, MorphGradientBorder.
#ifndef NV_NPPI_MORPHOLOGICAL_OPERATIONS_H
#define NV_NPPI_MORPHOLOGICAL_OPERATIONS_H

#include "__npp/declare.h"
#include "__npp/neighbourhood.h"

// (..., oSizeROI, pMask, oMaskSize, oAnchor), with a mask of 0 and 1 in device memory
#define HEDDLE_NPP_P_morph(S, K)                                                                   \
  HEDDLE_NPP_P_unary(S, S), const K *pMask, NppiSize oMaskSize, NppiPoint oAnchor
#define HEDDLE_NPP_A_morph HEDDLE_NPP_A_unary, pMask, oMaskSize, oAnchor
#define HEDDLE_NPP_P_morphBorder(S, K)                                                             \
  HEDDLE_NPP_P_border(S, S), const K *pMask, NppiSize oMaskSize, NppiPoint oAnchor,                \
      NppiBorderType eBorderType
#define HEDDLE_NPP_A_morphBorder HEDDLE_NPP_A_border, pMask, oMaskSize, oAnchor, eBorderType
#define HEDDLE_NPP_P_morph3x3(S) HEDDLE_NPP_P_unary(S, S)
#define HEDDLE_NPP_A_morph3x3 HEDDLE_NPP_A_unary
#define HEDDLE_NPP_P_morph3x3Border(S) HEDDLE_NPP_P_border(S, S), NppiBorderType eBorderType
#define HEDDLE_NPP_A_morph3x3Border HEDDLE_NPP_A_border, eBorderType
#define HEDDLE_NPP_P_morphTwice(S)                                                                 \
  HEDDLE_NPP_P_border(S, S), const Npp8u *pMask, NppiSize oMaskSize, NppiPoint oAnchor,            \
      Npp8u *pBuffer, NppiBorderType eBorderType
#define HEDDLE_NPP_A_morphTwice HEDDLE_NPP_A_border, pMask, oMaskSize, oAnchor, pBuffer, eBorderType
#define HEDDLE_NPP_P_morphSize() NppiSize oSizeROI, int *hpBufferSize
#define HEDDLE_NPP_A_morphSize oSizeROI, hpBufferSize

#define HEDDLE_NPP_MORPH(X, op, t, c)                                                              \
  X(nppi##op##_##t##_##c##R, morph, (Npp##t, Npp8u), op, c)                                        \
  X(nppi##op##Border_##t##_##c##R, morphBorder, (Npp##t, Npp8u), op, c)                            \
  X(nppi##op##3x3_##t##_##c##R, morph3x3, (Npp##t), op, c)                                         \
  X(nppi##op##3x3Border_##t##_##c##R, morph3x3Border, (Npp##t), op, c)
#define HEDDLE_NPP_MORPH_TWICE(X, op, t, c)                                                        \
  X(nppiMorphOpenBorder_##t##_##c##R, morphTwice, (Npp##t), Open, c)                               \
  X(nppiMorphCloseBorder_##t##_##c##R, morphTwice, (Npp##t), Close, c)                             \
  X(nppiMorphTopHatBorder_##t##_##c##R, morphTwice, (Npp##t), TopHat, c)                           \
  X(nppiMorphBlackHatBorder_##t##_##c##R, morphTwice, (Npp##t), BlackHat, c)                       \
  X(nppiMorphGradientBorder_##t##_##c##R, morphTwice, (Npp##t), MorphGradient, c)                  \
  X(nppiMorphGetBufferSize_##t##_##c##R, morphSize, (), sizeof(Npp##t), c)
#define HEDDLE_NPPI_MORPHOLOGY(X)                                                                  \
  HEDDLE_NPP_C134A(HEDDLE_NPP_MORPH, X, Dilate, 8u)                                                \
  HEDDLE_NPP_C134A(HEDDLE_NPP_MORPH, X, Dilate, 16u)                                               \
  HEDDLE_NPP_C134A(HEDDLE_NPP_MORPH, X, Dilate, 32f)                                               \
  HEDDLE_NPP_C134A(HEDDLE_NPP_MORPH, X, Erode, 8u)                                                 \
  HEDDLE_NPP_C134A(HEDDLE_NPP_MORPH, X, Erode, 16u)                                                \
  HEDDLE_NPP_C134A(HEDDLE_NPP_MORPH, X, Erode, 32f)                                                \
  X(nppiGrayDilateBorder_8u_C1R, morphBorder, (Npp8u, Npp32s), Dilate, C1)                         \
  X(nppiGrayDilateBorder_32f_C1R, morphBorder, (Npp32f, Npp32f), Dilate, C1)                       \
  X(nppiGrayErodeBorder_8u_C1R, morphBorder, (Npp8u, Npp32s), Erode, C1)                           \
  X(nppiGrayErodeBorder_32f_C1R, morphBorder, (Npp32f, Npp32f), Erode, C1)                         \
  HEDDLE_NPP_C134A(HEDDLE_NPP_MORPH_TWICE, X, , 8u)                                                \
  HEDDLE_NPP_C134A(HEDDLE_NPP_MORPH_TWICE, X, , 16u)                                               \
  HEDDLE_NPP_C134A(HEDDLE_NPP_MORPH_TWICE, X, , 16s)                                               \
  HEDDLE_NPP_C134A(HEDDLE_NPP_MORPH_TWICE, X, , 32f)

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPI_MORPHOLOGY(HEDDLE_NPP_DECLARE)
#ifdef __cplusplus
}
#endif

#endif
