// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic and logic on signals (libnpps): nppsAdd, Sub, Mul, Div, their C forms with a constant,
// SubCRev, DivCRev, AddProduct, Abs, Sqr, Sqrt, Cubrt, Exp, Ln, Arctan, Normalize, And, Or, Xor,
// Not, AndC, OrC, XorC, LShiftC, RShiftC.
#ifndef NV_NPPS_ARITHMETIC_AND_LOGICAL_OPERATIONS_H
#define NV_NPPS_ARITHMETIC_AND_LOGICAL_OPERATIONS_H

#include "__npp/declare.h"

#define HEDDLE_NPP_P_signalC(T, K) const T *pSrc, K nValue, T *pDst, size_t nLength
#define HEDDLE_NPP_A_signalC pSrc, nValue, pDst, nLength
#define HEDDLE_NPP_P_signalCI(T, K) K nValue, T *pSrcDst, size_t nLength
#define HEDDLE_NPP_A_signalCI nValue, pSrcDst, nLength
#define HEDDLE_NPP_P_signalCSfs(T, K) HEDDLE_NPP_P_signalC(T, K), int nScaleFactor
#define HEDDLE_NPP_A_signalCSfs HEDDLE_NPP_A_signalC, nScaleFactor
#define HEDDLE_NPP_P_signalCISfs(T, K) HEDDLE_NPP_P_signalCI(T, K), int nScaleFactor
#define HEDDLE_NPP_A_signalCISfs HEDDLE_NPP_A_signalCI, nScaleFactor
#define HEDDLE_NPP_P_signal2(S, D) const S *pSrc1, const S *pSrc2, D *pDst, size_t nLength
#define HEDDLE_NPP_A_signal2 pSrc1, pSrc2, pDst, nLength
#define HEDDLE_NPP_P_signal2I(S, D) const S *pSrc, D *pSrcDst, size_t nLength
#define HEDDLE_NPP_A_signal2I pSrc, pSrcDst, nLength
#define HEDDLE_NPP_P_signal2Sfs(S, D) HEDDLE_NPP_P_signal2(S, D), int nScaleFactor
#define HEDDLE_NPP_A_signal2Sfs HEDDLE_NPP_A_signal2, nScaleFactor
#define HEDDLE_NPP_P_signal2ISfs(S, D) HEDDLE_NPP_P_signal2I(S, D), int nScaleFactor
#define HEDDLE_NPP_A_signal2ISfs HEDDLE_NPP_A_signal2I, nScaleFactor
#define HEDDLE_NPP_P_signal1(T) const T *pSrc, T *pDst, size_t nLength
#define HEDDLE_NPP_A_signal1 pSrc, pDst, nLength
#define HEDDLE_NPP_P_signal1I(T) T *pSrcDst, size_t nLength
#define HEDDLE_NPP_A_signal1I pSrcDst, nLength
#define HEDDLE_NPP_P_signal1Sfs(T) HEDDLE_NPP_P_signal1(T), int nScaleFactor
#define HEDDLE_NPP_A_signal1Sfs HEDDLE_NPP_A_signal1, nScaleFactor
#define HEDDLE_NPP_P_signal1ISfs(T) HEDDLE_NPP_P_signal1I(T), int nScaleFactor
#define HEDDLE_NPP_A_signal1ISfs HEDDLE_NPP_A_signal1I, nScaleFactor
#define HEDDLE_NPP_P_signalNormalize(T) HEDDLE_NPP_P_signal1(T), T vSub, T vDiv
#define HEDDLE_NPP_A_signalNormalize HEDDLE_NPP_A_signal1, vSub, vDiv

#define HEDDLE_NPPS_C(X, op, t, K)                                                                 \
  X(npps##op##_##t, signalC, (Npp##t, K), op) X(npps##op##_##t##_I, signalCI, (Npp##t, K), op)
#define HEDDLE_NPPS_C_SFS(X, op, t)                                                                \
  X(npps##op##_##t##_Sfs, signalCSfs, (Npp##t, Npp##t), op)                                        \
  X(npps##op##_##t##_ISfs, signalCISfs, (Npp##t, Npp##t), op)
#define HEDDLE_NPPS_C_ALL(X, op)                                                                   \
  HEDDLE_NPPS_C_SFS(X, op, 8u)                                                                     \
  HEDDLE_NPPS_C_SFS(X, op, 16u)                                                                    \
  HEDDLE_NPPS_C_SFS(X, op, 16s)                                                                    \
  HEDDLE_NPPS_C_SFS(X, op, 16sc)                                                                   \
  HEDDLE_NPPS_C_SFS(X, op, 32s)                                                                    \
  HEDDLE_NPPS_C_SFS(X, op, 32sc)                                                                   \
  HEDDLE_NPPS_C(X, op, 32f, Npp32f)                                                                \
  HEDDLE_NPPS_C(X, op, 32fc, Npp32fc)                                                              \
  HEDDLE_NPPS_C(X, op, 64f, Npp64f)                                                                \
  HEDDLE_NPPS_C(X, op, 64fc, Npp64fc)
#define HEDDLE_NPPS_2(X, op, t)                                                                    \
  X(npps##op##_##t, signal2, (Npp##t, Npp##t), op)                                                 \
  X(npps##op##_##t##_I, signal2I, (Npp##t, Npp##t), op)
#define HEDDLE_NPPS_2_SFS(X, op, t)                                                                \
  X(npps##op##_##t##_Sfs, signal2Sfs, (Npp##t, Npp##t), op)                                        \
  X(npps##op##_##t##_ISfs, signal2ISfs, (Npp##t, Npp##t), op)
#define HEDDLE_NPPS_2_ALL(X, op)                                                                   \
  HEDDLE_NPPS_2_SFS(X, op, 8u)                                                                     \
  HEDDLE_NPPS_2_SFS(X, op, 16u)                                                                    \
  HEDDLE_NPPS_2_SFS(X, op, 16s)                                                                    \
  HEDDLE_NPPS_2_SFS(X, op, 16sc)                                                                   \
  HEDDLE_NPPS_2_SFS(X, op, 32s)                                                                    \
  HEDDLE_NPPS_2_SFS(X, op, 32sc)                                                                   \
  HEDDLE_NPPS_2(X, op, 16s)                                                                        \
  HEDDLE_NPPS_2(X, op, 32f)                                                                        \
  HEDDLE_NPPS_2(X, op, 32fc)                                                                       \
  HEDDLE_NPPS_2(X, op, 64f)                                                                        \
  HEDDLE_NPPS_2(X, op, 64fc)
#define HEDDLE_NPPS_1(X, op, t)                                                                    \
  X(npps##op##_##t, signal1, (Npp##t), op) X(npps##op##_##t##_I, signal1I, (Npp##t), op)
#define HEDDLE_NPPS_1_SFS(X, op, t)                                                                \
  X(npps##op##_##t##_Sfs, signal1Sfs, (Npp##t), op)                                                \
  X(npps##op##_##t##_ISfs, signal1ISfs, (Npp##t), op)
#define HEDDLE_NPPS_LOGIC(X, op)                                                                   \
  HEDDLE_NPPS_C(X, op##C, 8u, Npp8u)                                                               \
  HEDDLE_NPPS_C(X, op##C, 16u, Npp16u)                                                             \
  HEDDLE_NPPS_C(X, op##C, 32u, Npp32u)                                                             \
  HEDDLE_NPPS_2(X, op, 8u)                                                                         \
  HEDDLE_NPPS_2(X, op, 16u)                                                                        \
  HEDDLE_NPPS_2(X, op, 32u)
#define HEDDLE_NPPS_SHIFTS(X, op)                                                                  \
  HEDDLE_NPPS_C(X, op, 8u, int)                                                                    \
  HEDDLE_NPPS_C(X, op, 16u, int)                                                                   \
  HEDDLE_NPPS_C(X, op, 16s, int)                                                                   \
  HEDDLE_NPPS_C(X, op, 32u, int)                                                                   \
  HEDDLE_NPPS_C(X, op, 32s, int)
#define HEDDLE_NPPS_ARITHMETIC(X)                                                                  \
  HEDDLE_NPPS_C_ALL(X, AddC)                                                                       \
  HEDDLE_NPPS_C_ALL(X, SubC)                                                                       \
  HEDDLE_NPPS_C_ALL(X, SubCRev)                                                                    \
  HEDDLE_NPPS_C_ALL(X, MulC)                                                                       \
  HEDDLE_NPPS_C_SFS(X, DivC, 8u)                                                                   \
  HEDDLE_NPPS_C_SFS(X, DivC, 16u)                                                                  \
  HEDDLE_NPPS_C_SFS(X, DivC, 16s)                                                                  \
  HEDDLE_NPPS_C_SFS(X, DivC, 16sc)                                                                 \
  HEDDLE_NPPS_C(X, DivC, 32f, Npp32f)                                                              \
  HEDDLE_NPPS_C(X, DivC, 32fc, Npp32fc)                                                            \
  HEDDLE_NPPS_C(X, DivC, 64f, Npp64f)                                                              \
  HEDDLE_NPPS_C(X, DivC, 64fc, Npp64fc)                                                            \
  HEDDLE_NPPS_C(X, DivCRev, 16u, Npp16u)                                                           \
  HEDDLE_NPPS_C(X, DivCRev, 32f, Npp32f)                                                           \
  HEDDLE_NPPS_2_ALL(X, Add)                                                                        \
  HEDDLE_NPPS_2_ALL(X, Sub)                                                                        \
  HEDDLE_NPPS_2_ALL(X, Mul)                                                                        \
  X(nppsAdd_16u, signal2, (Npp16u, Npp16u), Add)                                                   \
  X(nppsAdd_32u, signal2, (Npp32u, Npp32u), Add)                                                   \
  X(nppsAdd_8u16u, signal2, (Npp8u, Npp16u), Add)                                                  \
  X(nppsAdd_16s32f, signal2, (Npp16s, Npp32f), Add)                                                \
  X(nppsSub_16s32f, signal2, (Npp16s, Npp32f), Sub)                                                \
  X(nppsMul_8u16u, signal2, (Npp8u, Npp16u), Mul)                                                  \
  X(nppsMul_16s32f, signal2, (Npp16s, Npp32f), Mul)                                                \
  HEDDLE_NPPS_2_SFS(X, Div, 8u)                                                                    \
  HEDDLE_NPPS_2_SFS(X, Div, 16u)                                                                   \
  HEDDLE_NPPS_2_SFS(X, Div, 16s)                                                                   \
  HEDDLE_NPPS_2_SFS(X, Div, 16sc)                                                                  \
  HEDDLE_NPPS_2_SFS(X, Div, 32s)                                                                   \
  HEDDLE_NPPS_2(X, Div, 32f)                                                                       \
  HEDDLE_NPPS_2(X, Div, 32fc)                                                                      \
  HEDDLE_NPPS_2(X, Div, 64f)                                                                       \
  HEDDLE_NPPS_2(X, Div, 64fc)                                                                      \
  X(nppsAddProduct_32f, signal2, (Npp32f, Npp32f), AddProduct)                                     \
  X(nppsAddProduct_64f, signal2, (Npp64f, Npp64f), AddProduct)
#define HEDDLE_NPPS_FUNCTIONS(X)                                                                   \
  HEDDLE_NPPS_1(X, Abs, 16s)                                                                       \
  HEDDLE_NPPS_1(X, Abs, 32s)                                                                       \
  HEDDLE_NPPS_1(X, Abs, 32f)                                                                       \
  HEDDLE_NPPS_1(X, Abs, 64f)                                                                       \
  HEDDLE_NPPS_1(X, Sqr, 32f)                                                                       \
  HEDDLE_NPPS_1(X, Sqr, 64f)                                                                       \
  HEDDLE_NPPS_1_SFS(X, Sqr, 8u)                                                                    \
  HEDDLE_NPPS_1_SFS(X, Sqr, 16u)                                                                   \
  HEDDLE_NPPS_1_SFS(X, Sqr, 16s)                                                                   \
  HEDDLE_NPPS_1(X, Sqrt, 32f)                                                                      \
  HEDDLE_NPPS_1(X, Sqrt, 64f)                                                                      \
  HEDDLE_NPPS_1_SFS(X, Sqrt, 8u)                                                                   \
  HEDDLE_NPPS_1_SFS(X, Sqrt, 16u)                                                                  \
  HEDDLE_NPPS_1_SFS(X, Sqrt, 16s)                                                                  \
  HEDDLE_NPPS_1(X, Exp, 32f)                                                                       \
  HEDDLE_NPPS_1(X, Exp, 64f)                                                                       \
  HEDDLE_NPPS_1_SFS(X, Exp, 16s)                                                                   \
  HEDDLE_NPPS_1_SFS(X, Exp, 32s)                                                                   \
  HEDDLE_NPPS_1(X, Ln, 32f)                                                                        \
  HEDDLE_NPPS_1(X, Ln, 64f)                                                                        \
  HEDDLE_NPPS_1_SFS(X, Ln, 16s)                                                                    \
  HEDDLE_NPPS_1_SFS(X, Ln, 32s)                                                                    \
  HEDDLE_NPPS_1(X, Arctan, 32f)                                                                    \
  HEDDLE_NPPS_1(X, Arctan, 64f)                                                                    \
  X(nppsCubrt_32f, signal1, (Npp32f), Cubrt)                                                       \
  X(npps10Log10_32s_Sfs, signal1Sfs, (Npp32s), Log10Times10)                                       \
  X(npps10Log10_32s_ISfs, signal1ISfs, (Npp32s), Log10Times10)                                     \
  X(nppsNormalize_32f, signalNormalize, (Npp32f), 0)                                               \
  X(nppsNormalize_64f, signalNormalize, (Npp64f), 0)                                               \
  HEDDLE_NPPS_1(X, Not, 8u)                                                                        \
  HEDDLE_NPPS_1(X, Not, 16u)                                                                       \
  HEDDLE_NPPS_1(X, Not, 32u)                                                                       \
  HEDDLE_NPPS_LOGIC(X, And)                                                                        \
  HEDDLE_NPPS_LOGIC(X, Or)                                                                         \
  HEDDLE_NPPS_LOGIC(X, Xor)                                                                        \
  HEDDLE_NPPS_SHIFTS(X, LShiftC)                                                                   \
  HEDDLE_NPPS_SHIFTS(X, RShiftC)

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPS_ARITHMETIC(HEDDLE_NPP_DECLARE)
HEDDLE_NPPS_FUNCTIONS(HEDDLE_NPP_DECLARE)
#ifdef __cplusplus
}
#endif

#endif
