// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filling, copying and converting images (libnppidei): nppiSet, Copy, CopyConstBorder,
// CopyReplicateBorder, CopyWrapBorder, CopySubpix, Convert, Scale, Dup, Transpose, SwapChannels.
#ifndef NV_NPPI_DATA_EXCHANGE_AND_INITIALIZATION_H
#define NV_NPPI_DATA_EXCHANGE_AND_INITIALIZATION_H

#include "__npp/declare.h"

#define HEDDLE_NPP_P_set(D, K) const K nValue, D *pDst, int nDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_set nValue, pDst, nDstStep, oSizeROI
#define HEDDLE_NPP_P_sets(D, K) const K *aValue, D *pDst, int nDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_sets aValue, pDst, nDstStep, oSizeROI
#define HEDDLE_NPP_P_setM(D, K) HEDDLE_NPP_P_set(D, K), const Npp8u *pMask, int nMaskStep
#define HEDDLE_NPP_A_setM HEDDLE_NPP_A_set, pMask, nMaskStep
#define HEDDLE_NPP_P_setsM(D, K) HEDDLE_NPP_P_sets(D, K), const Npp8u *pMask, int nMaskStep
#define HEDDLE_NPP_A_setsM HEDDLE_NPP_A_sets, pMask, nMaskStep
#define HEDDLE_NPP_P_copyM(S) HEDDLE_NPP_P_unary(S, S), const Npp8u *pMask, int nMaskStep
#define HEDDLE_NPP_A_copyM HEDDLE_NPP_A_unary, pMask, nMaskStep
#define HEDDLE_NPP_P_toPlanes(S)                                                                   \
  const S *pSrc, int nSrcStep, S *const *aDst, int nDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_toPlanes pSrc, nSrcStep, aDst, nDstStep, oSizeROI
#define HEDDLE_NPP_P_fromPlanes(S)                                                                 \
  const S *const *aSrc, int nSrcStep, S *pDst, int nDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_fromPlanes aSrc, nSrcStep, pDst, nDstStep, oSizeROI

// nppiSet_8u_C1R(nValue, pDst, nDstStep, oSizeROI); C1MR with a mask; C3CR one channel of several
#define HEDDLE_NPP_SET(X, op, t, c) X(nppi##op##_##t##_##c##R, sets, (Npp##t, Npp##t), c)
#define HEDDLE_NPP_SET_ALL(X, t)                                                                   \
  X(nppiSet_##t##_C1R, set, (Npp##t, Npp##t), C1)                                                  \
  HEDDLE_NPP_SET(X, Set, t, C2) HEDDLE_NPP_C34A(HEDDLE_NPP_SET, X, Set, t)
#define HEDDLE_NPP_SET_MASKED(X, t)                                                                \
  X(nppiSet_##t##_C1MR, setM, (Npp##t, Npp##t), C1)                                                \
  X(nppiSet_##t##_C3MR, setsM, (Npp##t, Npp##t), C3)                                               \
  X(nppiSet_##t##_C4MR, setsM, (Npp##t, Npp##t), C4)                                               \
  X(nppiSet_##t##_AC4MR, setsM, (Npp##t, Npp##t), AC4)                                             \
  X(nppiSet_##t##_C3CR, set, (Npp##t, Npp##t), C3)                                                 \
  X(nppiSet_##t##_C4CR, set, (Npp##t, Npp##t), C4)
#define HEDDLE_NPPI_SET(X)                                                                         \
  X(nppiSet_8s_C1R, set, (Npp8s, Npp8s), C1)                                                       \
  HEDDLE_NPP_SET(X, Set, 8s, C2)                                                                   \
  HEDDLE_NPP_C34A(HEDDLE_NPP_SET, X, Set, 8s)                                                      \
  HEDDLE_NPP_SET_ALL(X, 8u)                                                                        \
  HEDDLE_NPP_SET_ALL(X, 16u)                                                                       \
  HEDDLE_NPP_SET_ALL(X, 16s)                                                                       \
  HEDDLE_NPP_SET_ALL(X, 16sc)                                                                      \
  HEDDLE_NPP_SET_ALL(X, 32s)                                                                       \
  HEDDLE_NPP_SET_ALL(X, 32u)                                                                       \
  HEDDLE_NPP_SET_ALL(X, 32sc)                                                                      \
  HEDDLE_NPP_SET_ALL(X, 32f)                                                                       \
  HEDDLE_NPP_SET_ALL(X, 32fc)                                                                      \
  HEDDLE_NPP_SET_MASKED(X, 8u)                                                                     \
  HEDDLE_NPP_SET_MASKED(X, 16u)                                                                    \
  HEDDLE_NPP_SET_MASKED(X, 16s)                                                                    \
  HEDDLE_NPP_SET_MASKED(X, 32s)                                                                    \
  HEDDLE_NPP_SET_MASKED(X, 32f)

// nppiCopy_8u_C1R(pSrc, nSrcStep, pDst, nDstStep, oSizeROI); between channels (C3C1R, C1C3R, C3CR),
// between packed pixels and planes (C3P3R, P3C3R, ...), with a mask (C1MR)
#define HEDDLE_NPP_COPY_PLAIN(X, t)                                                                \
  X(nppiCopy_##t##_C1R, copy, (Npp##t), C1)                                                        \
  X(nppiCopy_##t##_C2R, copy, (Npp##t), C2)                                                        \
  X(nppiCopy_##t##_C3R, copy, (Npp##t), C3)                                                        \
  X(nppiCopy_##t##_C4R, copy, (Npp##t), C4)                                                        \
  X(nppiCopy_##t##_AC4R, copy, (Npp##t), AC4)
#define HEDDLE_NPP_P_copy(S) HEDDLE_NPP_P_unary(S, S)
#define HEDDLE_NPP_A_copy HEDDLE_NPP_A_unary
#define HEDDLE_NPP_P_copyChannel(S) HEDDLE_NPP_P_unary(S, S)
#define HEDDLE_NPP_A_copyChannel HEDDLE_NPP_A_unary
#define HEDDLE_NPP_COPY_CHANNELS(X, t)                                                             \
  X(nppiCopy_##t##_C1MR, copyM, (Npp##t), C1)                                                      \
  X(nppiCopy_##t##_C3MR, copyM, (Npp##t), C3)                                                      \
  X(nppiCopy_##t##_C4MR, copyM, (Npp##t), C4)                                                      \
  X(nppiCopy_##t##_AC4MR, copyM, (Npp##t), AC4)                                                    \
  X(nppiCopy_##t##_C3CR, copyChannel, (Npp##t), 3, 3)                                              \
  X(nppiCopy_##t##_C4CR, copyChannel, (Npp##t), 4, 4)                                              \
  X(nppiCopy_##t##_C3C1R, copyChannel, (Npp##t), 3, 1)                                             \
  X(nppiCopy_##t##_C4C1R, copyChannel, (Npp##t), 4, 1)                                             \
  X(nppiCopy_##t##_C1C3R, copyChannel, (Npp##t), 1, 3)                                             \
  X(nppiCopy_##t##_C1C4R, copyChannel, (Npp##t), 1, 4)                                             \
  X(nppiCopy_##t##_C3P3R, toPlanes, (Npp##t), C3)                                                  \
  X(nppiCopy_##t##_C4P4R, toPlanes, (Npp##t), C4)                                                  \
  X(nppiCopy_##t##_P3C3R, fromPlanes, (Npp##t), C3)                                                \
  X(nppiCopy_##t##_P4C4R, fromPlanes, (Npp##t), C4)
#define HEDDLE_NPPI_COPY(X)                                                                        \
  HEDDLE_NPP_COPY_PLAIN(X, 8s)                                                                     \
  HEDDLE_NPP_COPY_PLAIN(X, 8u)                                                                     \
  HEDDLE_NPP_COPY_PLAIN(X, 16u)                                                                    \
  HEDDLE_NPP_COPY_PLAIN(X, 16s)                                                                    \
  HEDDLE_NPP_COPY_PLAIN(X, 16sc)                                                                   \
  HEDDLE_NPP_COPY_PLAIN(X, 32s)                                                                    \
  HEDDLE_NPP_COPY_PLAIN(X, 32sc)                                                                   \
  HEDDLE_NPP_COPY_PLAIN(X, 32f)                                                                    \
  HEDDLE_NPP_COPY_PLAIN(X, 32fc)                                                                   \
  HEDDLE_NPP_COPY_CHANNELS(X, 8u)                                                                  \
  HEDDLE_NPP_COPY_CHANNELS(X, 16u)                                                                 \
  HEDDLE_NPP_COPY_CHANNELS(X, 16s)                                                                 \
  HEDDLE_NPP_COPY_CHANNELS(X, 32s)                                                                 \
  HEDDLE_NPP_COPY_CHANNELS(X, 32f)

// nppiCopyConstBorder_8u_C1R(pSrc, nSrcStep, oSrcSizeROI, pDst, nDstStep, oDstSizeROI,
// nTopBorderHeight, nLeftBorderWidth, nValue); nppiCopyReplicateBorder, nppiCopyWrapBorder
#define HEDDLE_NPP_P_bordered(S)                                                                   \
  const S *pSrc, int nSrcStep, NppiSize oSrcSizeROI, S *pDst, int nDstStep, NppiSize oDstSizeROI,  \
      int nTopBorderHeight, int nLeftBorderWidth
#define HEDDLE_NPP_A_bordered                                                                      \
  pSrc, nSrcStep, oSrcSizeROI, pDst, nDstStep, oDstSizeROI, nTopBorderHeight, nLeftBorderWidth
#define HEDDLE_NPP_P_constBorder(S) HEDDLE_NPP_P_bordered(S), S nValue
#define HEDDLE_NPP_A_constBorder HEDDLE_NPP_A_bordered, nValue
#define HEDDLE_NPP_P_constsBorder(S) HEDDLE_NPP_P_bordered(S), const S *aValue
#define HEDDLE_NPP_A_constsBorder HEDDLE_NPP_A_bordered, aValue
#define HEDDLE_NPP_BORDERED(X, op, t, c)                                                           \
  X(nppiCopyReplicateBorder_##t##_##c##R, bordered, (Npp##t), NPP_BORDER_REPLICATE, c)             \
  X(nppiCopyWrapBorder_##t##_##c##R, bordered, (Npp##t), NPP_BORDER_WRAP, c)
#define HEDDLE_NPP_BORDERS(X, t)                                                                   \
  X(nppiCopyConstBorder_##t##_C1R, constBorder, (Npp##t), C1)                                      \
  X(nppiCopyConstBorder_##t##_C3R, constsBorder, (Npp##t), C3)                                     \
  X(nppiCopyConstBorder_##t##_C4R, constsBorder, (Npp##t), C4)                                     \
  X(nppiCopyConstBorder_##t##_AC4R, constsBorder, (Npp##t), AC4)                                   \
  HEDDLE_NPP_C134A(HEDDLE_NPP_BORDERED, X, , t)
#define HEDDLE_NPPI_BORDERS(X)                                                                     \
  HEDDLE_NPP_BORDERS(X, 8u)                                                                        \
  HEDDLE_NPP_BORDERS(X, 16u)                                                                       \
  HEDDLE_NPP_BORDERS(X, 16s)                                                                       \
  HEDDLE_NPP_BORDERS(X, 32s)                                                                       \
  HEDDLE_NPP_BORDERS(X, 32f)

// nppiDup_8u_C1C3R, nppiTranspose_8u_C1R, nppiSwapChannels_8u_C3R(..., aDstOrder) with a host
// array, nppiCopySubpix_8u_C1R(..., nDx, nDy)
#define HEDDLE_NPP_P_dup(S) HEDDLE_NPP_P_unary(S, S)
#define HEDDLE_NPP_A_dup HEDDLE_NPP_A_unary
#define HEDDLE_NPP_P_transpose(S)                                                                  \
  const S *pSrc, int nSrcStep, S *pDst, int nDstStep, NppiSize oSrcROI
#define HEDDLE_NPP_A_transpose pSrc, nSrcStep, pDst, nDstStep, oSrcROI
#define HEDDLE_NPP_P_swap(S) HEDDLE_NPP_P_unary(S, S), const int *aDstOrder
#define HEDDLE_NPP_A_swap HEDDLE_NPP_A_unary, aDstOrder
#define HEDDLE_NPP_P_swapI(S) HEDDLE_NPP_P_unaryI(S), const int *aDstOrder
#define HEDDLE_NPP_A_swapI HEDDLE_NPP_A_unaryI, aDstOrder
#define HEDDLE_NPP_P_swapValue(S) HEDDLE_NPP_P_swap(S), const S nValue
#define HEDDLE_NPP_A_swapValue HEDDLE_NPP_A_swap, nValue
#define HEDDLE_NPP_P_subpix(S) HEDDLE_NPP_P_unary(S, S), Npp32f nDx, Npp32f nDy
#define HEDDLE_NPP_A_subpix HEDDLE_NPP_A_unary, nDx, nDy
#define HEDDLE_NPP_REARRANGE(X, t)                                                                 \
  X(nppiDup_##t##_C1C3R, dup, (Npp##t), 3, 3)                                                      \
  X(nppiDup_##t##_C1C4R, dup, (Npp##t), 4, 4)                                                      \
  X(nppiDup_##t##_C1AC4R, dup, (Npp##t), 3, 4)                                                     \
  X(nppiTranspose_##t##_C1R, transpose, (Npp##t), C1)                                              \
  X(nppiTranspose_##t##_C3R, transpose, (Npp##t), C3)                                              \
  X(nppiTranspose_##t##_C4R, transpose, (Npp##t), C4)                                              \
  X(nppiSwapChannels_##t##_C3R, swap, (Npp##t), 3, 3, 3)                                           \
  X(nppiSwapChannels_##t##_C3IR, swapI, (Npp##t), 3)                                               \
  X(nppiSwapChannels_##t##_C4R, swap, (Npp##t), 4, 4, 4)                                           \
  X(nppiSwapChannels_##t##_C4IR, swapI, (Npp##t), 4)                                               \
  X(nppiSwapChannels_##t##_C4C3R, swap, (Npp##t), 4, 3, 3)                                         \
  X(nppiSwapChannels_##t##_AC4R, swap, (Npp##t), 4, 4, 3)                                          \
  X(nppiSwapChannels_##t##_C3C4R, swapValue, (Npp##t), 3)                                          \
  X(nppiCopySubpix_##t##_C1R, subpix, (Npp##t), C1)                                                \
  X(nppiCopySubpix_##t##_C3R, subpix, (Npp##t), C3)                                                \
  X(nppiCopySubpix_##t##_C4R, subpix, (Npp##t), C4)                                                \
  X(nppiCopySubpix_##t##_AC4R, subpix, (Npp##t), AC4)
#define HEDDLE_NPPI_REARRANGE(X)                                                                   \
  HEDDLE_NPP_REARRANGE(X, 8u)                                                                      \
  HEDDLE_NPP_REARRANGE(X, 16u)                                                                     \
  HEDDLE_NPP_REARRANGE(X, 16s)                                                                     \
  HEDDLE_NPP_REARRANGE(X, 32s)                                                                     \
  HEDDLE_NPP_REARRANGE(X, 32f)

// nppiConvert_8u16s_C1R; nppiConvert_32f8u_C1R(..., eRoundMode); nppiConvert_32f8u_C1RSfs(...,
// eRoundMode, nScaleFactor)
#define HEDDLE_NPP_P_convert(S, D) HEDDLE_NPP_P_unary(S, D)
#define HEDDLE_NPP_A_convert HEDDLE_NPP_A_unary
#define HEDDLE_NPP_P_convertRound(S, D) HEDDLE_NPP_P_unary(S, D), NppRoundMode eRoundMode
#define HEDDLE_NPP_A_convertRound HEDDLE_NPP_A_unary, eRoundMode
#define HEDDLE_NPP_P_convertSfs(S, D)                                                              \
  HEDDLE_NPP_P_unary(S, D), NppRoundMode eRoundMode, int nScaleFactor
#define HEDDLE_NPP_A_convertSfs HEDDLE_NPP_A_unary, eRoundMode, nScaleFactor
#define HEDDLE_NPP_CONVERT_C(X, form, s, d)                                                        \
  X(nppiConvert_##s##d##_C1R, form, (Npp##s, Npp##d), C1)                                          \
  X(nppiConvert_##s##d##_C3R, form, (Npp##s, Npp##d), C3)                                          \
  X(nppiConvert_##s##d##_C4R, form, (Npp##s, Npp##d), C4)                                          \
  X(nppiConvert_##s##d##_AC4R, form, (Npp##s, Npp##d), AC4)
#define HEDDLE_NPP_CONVERT_SFS(X, s, d)                                                            \
  X(nppiConvert_##s##d##_C1RSfs, convertSfs, (Npp##s, Npp##d), C1)
#define HEDDLE_NPPI_CONVERT(X)                                                                     \
  HEDDLE_NPP_CONVERT_C(X, convert, 8u, 16u)                                                        \
  HEDDLE_NPP_CONVERT_C(X, convert, 8u, 16s)                                                        \
  HEDDLE_NPP_CONVERT_C(X, convert, 8u, 32s)                                                        \
  HEDDLE_NPP_CONVERT_C(X, convert, 8u, 32f)                                                        \
  HEDDLE_NPP_CONVERT_C(X, convert, 8s, 32s)                                                        \
  HEDDLE_NPP_CONVERT_C(X, convert, 8s, 32f)                                                        \
  HEDDLE_NPP_CONVERT_C(X, convert, 16u, 8u)                                                        \
  HEDDLE_NPP_CONVERT_C(X, convert, 16u, 32s)                                                       \
  HEDDLE_NPP_CONVERT_C(X, convert, 16u, 32f)                                                       \
  HEDDLE_NPP_CONVERT_C(X, convert, 16s, 8u)                                                        \
  HEDDLE_NPP_CONVERT_C(X, convert, 16s, 32s)                                                       \
  HEDDLE_NPP_CONVERT_C(X, convert, 16s, 32f)                                                       \
  HEDDLE_NPP_CONVERT_C(X, convert, 32s, 8u)                                                        \
  HEDDLE_NPP_CONVERT_C(X, convert, 32s, 8s)                                                        \
  X(nppiConvert_8s8u_C1Rs, convert, (Npp8s, Npp8u), C1)                                            \
  X(nppiConvert_8s16u_C1Rs, convert, (Npp8s, Npp16u), C1)                                          \
  X(nppiConvert_8s16s_C1R, convert, (Npp8s, Npp16s), C1)                                           \
  X(nppiConvert_8s32u_C1Rs, convert, (Npp8s, Npp32u), C1)                                          \
  X(nppiConvert_16s16u_C1Rs, convert, (Npp16s, Npp16u), C1)                                        \
  X(nppiConvert_16s32u_C1Rs, convert, (Npp16s, Npp32u), C1)                                        \
  X(nppiConvert_16u32u_C1R, convert, (Npp16u, Npp32u), C1)                                         \
  X(nppiConvert_32s32u_C1Rs, convert, (Npp32s, Npp32u), C1)                                        \
  X(nppiConvert_32s32f_C1R, convert, (Npp32s, Npp32f), C1)                                         \
  X(nppiConvert_32u32f_C1R, convert, (Npp32u, Npp32f), C1)                                         \
  HEDDLE_NPP_CONVERT_C(X, convertRound, 32f, 8u)                                                   \
  HEDDLE_NPP_CONVERT_C(X, convertRound, 32f, 8s)                                                   \
  HEDDLE_NPP_CONVERT_C(X, convertRound, 32f, 16u)                                                  \
  HEDDLE_NPP_CONVERT_C(X, convertRound, 32f, 16s)                                                  \
  HEDDLE_NPP_CONVERT_SFS(X, 8u, 8s)                                                                \
  HEDDLE_NPP_CONVERT_SFS(X, 16u, 8s)                                                               \
  HEDDLE_NPP_CONVERT_SFS(X, 16u, 16s)                                                              \
  HEDDLE_NPP_CONVERT_SFS(X, 16s, 8s)                                                               \
  HEDDLE_NPP_CONVERT_SFS(X, 32u, 8u)                                                               \
  HEDDLE_NPP_CONVERT_SFS(X, 32u, 8s)                                                               \
  HEDDLE_NPP_CONVERT_SFS(X, 32u, 16u)                                                              \
  HEDDLE_NPP_CONVERT_SFS(X, 32u, 16s)                                                              \
  HEDDLE_NPP_CONVERT_SFS(X, 32u, 32s)                                                              \
  HEDDLE_NPP_CONVERT_SFS(X, 32s, 16u)                                                              \
  HEDDLE_NPP_CONVERT_SFS(X, 32s, 16s)                                                              \
  HEDDLE_NPP_CONVERT_SFS(X, 32f, 8u)                                                               \
  HEDDLE_NPP_CONVERT_SFS(X, 32f, 8s)                                                               \
  HEDDLE_NPP_CONVERT_SFS(X, 32f, 16u)                                                              \
  HEDDLE_NPP_CONVERT_SFS(X, 32f, 16s)                                                              \
  HEDDLE_NPP_CONVERT_SFS(X, 32f, 32u)                                                              \
  HEDDLE_NPP_CONVERT_SFS(X, 32f, 32s)

// nppiScale_8u16u_C1R: from the whole range of one type to that of another;
// nppiScale_8u32f_C1R(..., nMin, nMax); nppiScale_16u8u_C1R(..., hint)
#define HEDDLE_NPP_P_scale(S, D) HEDDLE_NPP_P_unary(S, D)
#define HEDDLE_NPP_A_scale HEDDLE_NPP_A_unary
#define HEDDLE_NPP_P_scaleHint(S, D) HEDDLE_NPP_P_unary(S, D), NppHintAlgorithm hint
#define HEDDLE_NPP_A_scaleHint HEDDLE_NPP_A_unary, hint
#define HEDDLE_NPP_P_scaleRange(S, D) HEDDLE_NPP_P_unary(S, D), Npp32f nMin, Npp32f nMax
#define HEDDLE_NPP_A_scaleRange HEDDLE_NPP_A_unary, nMin, nMax
#define HEDDLE_NPP_SCALE_C(X, form, s, d)                                                          \
  X(nppiScale_##s##d##_C1R, form, (Npp##s, Npp##d), C1)                                            \
  X(nppiScale_##s##d##_C3R, form, (Npp##s, Npp##d), C3)                                            \
  X(nppiScale_##s##d##_C4R, form, (Npp##s, Npp##d), C4)                                            \
  X(nppiScale_##s##d##_AC4R, form, (Npp##s, Npp##d), AC4)
#define HEDDLE_NPPI_SCALE(X)                                                                       \
  HEDDLE_NPP_SCALE_C(X, scale, 8u, 16u)                                                            \
  HEDDLE_NPP_SCALE_C(X, scale, 8u, 16s)                                                            \
  HEDDLE_NPP_SCALE_C(X, scale, 8u, 32s)                                                            \
  HEDDLE_NPP_SCALE_C(X, scaleHint, 16u, 8u)                                                        \
  HEDDLE_NPP_SCALE_C(X, scaleHint, 16s, 8u)                                                        \
  HEDDLE_NPP_SCALE_C(X, scaleHint, 32s, 8u)                                                        \
  HEDDLE_NPP_SCALE_C(X, scaleRange, 8u, 32f)                                                       \
  HEDDLE_NPP_SCALE_C(X, scaleRange, 32f, 8u)

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPI_SET(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_COPY(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_BORDERS(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_REARRANGE(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_CONVERT(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_SCALE(HEDDLE_NPP_DECLARE)
#ifdef __cplusplus
}
#endif

#endif
