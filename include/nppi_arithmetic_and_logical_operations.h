// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic and logic on images (libnppial): nppiAdd, Sub, Mul, Div, AbsDiff, their C forms with a
// constant, MulScale, MulCScale, Abs, Sqr, Sqrt, Ln, Exp, AddSquare, AddProduct, AddWeighted, And,
// Or, Xor, Not, shifts, alpha composition.
#ifndef NV_NPPI_ARITHMETIC_AND_LOGICAL_OPERATIONS_H
#define NV_NPPI_ARITHMETIC_AND_LOGICAL_OPERATIONS_H

#include "__npp/declare.h"

// ---- two images: nppiAdd_8u_C1RSfs(pSrc1, nSrc1Step, pSrc2, nSrc2Step, pDst, nDstStep, oSizeROI,
// nScaleFactor), nppiAdd_8u_C1IRSfs, nppiAdd_32f_C1R, nppiAdd_32f_C1IR, ...
#define HEDDLE_NPP_BINARY_SFS(X, op, t, c)                                                         \
  X(nppi##op##_##t##_##c##RSfs, binarySfs, (Npp##t, Npp##t), op, c)                                \
  X(nppi##op##_##t##_##c##IRSfs, binaryISfs, (Npp##t, Npp##t), op, c)
#define HEDDLE_NPP_BINARY(X, op, t, c)                                                             \
  X(nppi##op##_##t##_##c##R, binary, (Npp##t, Npp##t), op, c)                                      \
  X(nppi##op##_##t##_##c##IR, binaryI, (Npp##t, Npp##t), op, c)
#define HEDDLE_NPP_BINARY_R(X, op, t, c) X(nppi##op##_##t##_##c##R, binary, (Npp##t, Npp##t), op, c)
#define HEDDLE_NPP_ARITHMETIC(X, op)                                                               \
  HEDDLE_NPP_C134A(HEDDLE_NPP_BINARY_SFS, X, op, 8u)                                               \
  HEDDLE_NPP_C134A(HEDDLE_NPP_BINARY_SFS, X, op, 16u)                                              \
  HEDDLE_NPP_C134A(HEDDLE_NPP_BINARY_SFS, X, op, 16s)                                              \
  HEDDLE_NPP_C134A(HEDDLE_NPP_BINARY_SFS, X, op, 32s)                                              \
  HEDDLE_NPP_C13A(HEDDLE_NPP_BINARY_SFS, X, op, 16sc)                                              \
  HEDDLE_NPP_C13A(HEDDLE_NPP_BINARY_SFS, X, op, 32sc)                                              \
  HEDDLE_NPP_C134A(HEDDLE_NPP_BINARY, X, op, 32f)                                                  \
  HEDDLE_NPP_C134A(HEDDLE_NPP_BINARY, X, op, 32fc)
#define HEDDLE_NPPI_BINARY(X)                                                                      \
  HEDDLE_NPP_ARITHMETIC(X, Add)                                                                    \
  HEDDLE_NPP_ARITHMETIC(X, Sub)                                                                    \
  HEDDLE_NPP_ARITHMETIC(X, Mul)                                                                    \
  HEDDLE_NPP_ARITHMETIC(X, Div)                                                                    \
  HEDDLE_NPP_BINARY_R(X, Add, 32s, C1)                                                             \
  HEDDLE_NPP_BINARY_R(X, Sub, 32s, C1)                                                             \
  HEDDLE_NPP_BINARY_R(X, Mul, 32s, C1)                                                             \
  HEDDLE_NPP_BINARY_R(X, Div, 32s, C1)                                                             \
  HEDDLE_NPP_C134A(HEDDLE_NPP_BINARY, X, MulScale, 8u)                                             \
  HEDDLE_NPP_C134A(HEDDLE_NPP_BINARY, X, MulScale, 16u)                                            \
  HEDDLE_NPP_C134(HEDDLE_NPP_BINARY_R, X, AbsDiff, 8u)                                             \
  HEDDLE_NPP_BINARY_R(X, AbsDiff, 16u, C1)                                                         \
  HEDDLE_NPP_BINARY_R(X, AbsDiff, 32f, C1)                                                         \
  HEDDLE_NPP_LOGICAL(X, And)                                                                       \
  HEDDLE_NPP_LOGICAL(X, Or)                                                                        \
  HEDDLE_NPP_LOGICAL(X, Xor)
#define HEDDLE_NPP_LOGICAL(X, op)                                                                  \
  HEDDLE_NPP_C134A(HEDDLE_NPP_BINARY, X, op, 8u)                                                   \
  HEDDLE_NPP_C134A(HEDDLE_NPP_BINARY, X, op, 16u)                                                  \
  HEDDLE_NPP_C134A(HEDDLE_NPP_BINARY, X, op, 32s)

// ---- an image and a constant: nppiAddC_8u_C1RSfs(pSrc1, nSrc1Step, nConstant, pDst, nDstStep,
// oSizeROI, nScaleFactor), ...; several channels have an array of constants, AC4 three of them.
#define HEDDLE_NPP_CONSTANT1_SFS(X, op, t)                                                         \
  X(nppi##op##_##t##_C1RSfs, constantSfs, (Npp##t, Npp##t, Npp##t), op, C1)                        \
  X(nppi##op##_##t##_C1IRSfs, constantISfs, (Npp##t, Npp##t), op, C1)
#define HEDDLE_NPP_CONSTANTS_SFS(X, op, t, c)                                                      \
  X(nppi##op##_##t##_##c##RSfs, constantsSfs, (Npp##t, Npp##t, Npp##t), op, c)                     \
  X(nppi##op##_##t##_##c##IRSfs, constantsISfs, (Npp##t, Npp##t), op, c)
#define HEDDLE_NPP_CONSTANT1(X, op, t, K)                                                          \
  X(nppi##op##_##t##_C1R, constant, (Npp##t, Npp##t, K), op, C1)                                   \
  X(nppi##op##_##t##_C1IR, constantI, (Npp##t, K), op, C1)
#define HEDDLE_NPP_CONSTANTS(X, op, t, c)                                                          \
  X(nppi##op##_##t##_##c##R, constants, (Npp##t, Npp##t, Npp##t), op, c)                           \
  X(nppi##op##_##t##_##c##IR, constantsI, (Npp##t, Npp##t), op, c)
#define HEDDLE_NPP_SHIFTS(X, op, t, c)                                                             \
  X(nppi##op##_##t##_##c##R, constants, (Npp##t, Npp##t, Npp32u), op, c)                           \
  X(nppi##op##_##t##_##c##IR, constantsI, (Npp##t, Npp32u), op, c)
#define HEDDLE_NPP_CONSTANT_SFS(X, op, t)                                                          \
  HEDDLE_NPP_CONSTANT1_SFS(X, op, t) HEDDLE_NPP_C34A(HEDDLE_NPP_CONSTANTS_SFS, X, op, t)
#define HEDDLE_NPP_CONSTANT_SFS3(X, op, t)                                                         \
  HEDDLE_NPP_CONSTANT1_SFS(X, op, t)                                                               \
  HEDDLE_NPP_CONSTANTS_SFS(X, op, t, C3) HEDDLE_NPP_CONSTANTS_SFS(X, op, t, AC4)
#define HEDDLE_NPP_CONSTANT(X, op, t)                                                              \
  HEDDLE_NPP_CONSTANT1(X, op, t, Npp##t) HEDDLE_NPP_C34A(HEDDLE_NPP_CONSTANTS, X, op, t)
#define HEDDLE_NPP_SHIFT(X, op, t)                                                                 \
  HEDDLE_NPP_CONSTANT1(X, op, t, Npp32u) HEDDLE_NPP_C34A(HEDDLE_NPP_SHIFTS, X, op, t)
#define HEDDLE_NPP_ARITHMETIC_C(X, op)                                                             \
  HEDDLE_NPP_CONSTANT_SFS(X, op, 8u)                                                               \
  HEDDLE_NPP_CONSTANT_SFS(X, op, 16u)                                                              \
  HEDDLE_NPP_CONSTANT_SFS(X, op, 16s)                                                              \
  HEDDLE_NPP_CONSTANT_SFS3(X, op, 32s)                                                             \
  HEDDLE_NPP_CONSTANT_SFS3(X, op, 16sc)                                                            \
  HEDDLE_NPP_CONSTANT_SFS3(X, op, 32sc)                                                            \
  HEDDLE_NPP_CONSTANT(X, op, 32f)                                                                  \
  HEDDLE_NPP_CONSTANT(X, op, 32fc)
#define HEDDLE_NPP_LOGICAL_C(X, op)                                                                \
  HEDDLE_NPP_CONSTANT(X, op, 8u) HEDDLE_NPP_CONSTANT(X, op, 16u) HEDDLE_NPP_CONSTANT(X, op, 32s)
#define HEDDLE_NPPI_CONSTANT(X)                                                                    \
  HEDDLE_NPP_ARITHMETIC_C(X, AddC)                                                                 \
  HEDDLE_NPP_ARITHMETIC_C(X, SubC)                                                                 \
  HEDDLE_NPP_ARITHMETIC_C(X, MulC)                                                                 \
  HEDDLE_NPP_ARITHMETIC_C(X, DivC)                                                                 \
  HEDDLE_NPP_CONSTANT(X, MulCScale, 8u)                                                            \
  HEDDLE_NPP_CONSTANT(X, MulCScale, 16u)                                                           \
  HEDDLE_NPP_LOGICAL_C(X, AndC)                                                                    \
  HEDDLE_NPP_LOGICAL_C(X, OrC)                                                                     \
  HEDDLE_NPP_LOGICAL_C(X, XorC)                                                                    \
  HEDDLE_NPP_SHIFT(X, LShiftC, 8u)                                                                 \
  HEDDLE_NPP_SHIFT(X, LShiftC, 16u)                                                                \
  HEDDLE_NPP_SHIFT(X, LShiftC, 32s)                                                                \
  HEDDLE_NPP_SHIFT(X, RShiftC, 8u)                                                                 \
  HEDDLE_NPP_SHIFT(X, RShiftC, 8s)                                                                 \
  HEDDLE_NPP_SHIFT(X, RShiftC, 16u)                                                                \
  HEDDLE_NPP_SHIFT(X, RShiftC, 16s)                                                                \
  HEDDLE_NPP_SHIFT(X, RShiftC, 32s)

// ---- one image: nppiAbs_16s_C1R(pSrc, nSrcStep, pDst, nDstStep, oSizeROI), nppiSqr_8u_C1RSfs, ...
#define HEDDLE_NPP_UNARY(X, op, t, c)                                                              \
  X(nppi##op##_##t##_##c##R, unary, (Npp##t, Npp##t), op, c)                                       \
  X(nppi##op##_##t##_##c##IR, unaryI, (Npp##t), op, c)
#define HEDDLE_NPP_UNARY_SFS(X, op, t, c)                                                          \
  X(nppi##op##_##t##_##c##RSfs, unarySfs, (Npp##t, Npp##t), op, c)                                 \
  X(nppi##op##_##t##_##c##IRSfs, unaryISfs, (Npp##t), op, c)
#define HEDDLE_NPP_POWERS(X, op, C)                                                                \
  C(HEDDLE_NPP_UNARY_SFS, X, op, 8u)                                                               \
  C(HEDDLE_NPP_UNARY_SFS, X, op, 16u)                                                              \
  C(HEDDLE_NPP_UNARY_SFS, X, op, 16s)                                                              \
  C(HEDDLE_NPP_UNARY, X, op, 32f)
#define HEDDLE_NPPI_UNARY(X)                                                                       \
  HEDDLE_NPP_C134A(HEDDLE_NPP_UNARY, X, Abs, 16s)                                                  \
  HEDDLE_NPP_C134A(HEDDLE_NPP_UNARY, X, Abs, 32f)                                                  \
  HEDDLE_NPP_C134A(HEDDLE_NPP_UNARY, X, Not, 8u)                                                   \
  HEDDLE_NPP_POWERS(X, Sqr, HEDDLE_NPP_C134A)                                                      \
  HEDDLE_NPP_POWERS(X, Sqrt, HEDDLE_NPP_C13A)                                                      \
  HEDDLE_NPP_POWERS(X, Ln, HEDDLE_NPP_C13)                                                         \
  HEDDLE_NPP_POWERS(X, Exp, HEDDLE_NPP_C13)                                                        \
  HEDDLE_NPP_UNARY(X, Sqrt, 32f, C4)

// ---- nppiAbsDiffC_8u_C1R(pSrc1, nSrc1Step, pDst, nDstStep, oSizeROI, nConstant)
#define HEDDLE_NPP_P_absDiffC(S)                                                                   \
  const S *pSrc1, int nSrc1Step, S *pDst, int nDstStep, NppiSize oSizeROI, const S nConstant
#define HEDDLE_NPP_A_absDiffC pSrc1, nSrc1Step, pDst, nDstStep, oSizeROI, nConstant
// ---- nppiDiv_Round_8u_C1RSfs(..., oSizeROI, rndMode, nScaleFactor)
#define HEDDLE_NPP_P_divRound(S) HEDDLE_NPP_P_binary(S, S), NppRoundMode rndMode, int nScaleFactor
#define HEDDLE_NPP_A_divRound HEDDLE_NPP_A_binary, rndMode, nScaleFactor
#define HEDDLE_NPP_P_divRoundI(S) HEDDLE_NPP_P_binaryI(S, S), NppRoundMode rndMode, int nScaleFactor
#define HEDDLE_NPP_A_divRoundI HEDDLE_NPP_A_binaryI, rndMode, nScaleFactor
// ---- what is added to a 32f image: nppiAdd_8u32f_C1IR, nppiAddSquare, nppiAddProduct,
// nppiAddWeighted, each also with a mask (C1IMR).
#define HEDDLE_NPP_P_accumulate(S) HEDDLE_NPP_P_binaryI(S, Npp32f)
#define HEDDLE_NPP_A_accumulate HEDDLE_NPP_A_binaryI
#define HEDDLE_NPP_P_accumulateM(S)                                                                \
  const S *pSrc, int nSrcStep, const Npp8u *pMask, int nMaskStep, Npp32f *pSrcDst,                 \
      int nSrcDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_accumulateM pSrc, nSrcStep, pMask, nMaskStep, pSrcDst, nSrcDstStep, oSizeROI
#define HEDDLE_NPP_P_product(S)                                                                    \
  const S *pSrc1, int nSrc1Step, const S *pSrc2, int nSrc2Step, Npp32f *pSrcDst, int nSrcDstStep,  \
      NppiSize oSizeROI
#define HEDDLE_NPP_A_product pSrc1, nSrc1Step, pSrc2, nSrc2Step, pSrcDst, nSrcDstStep, oSizeROI
#define HEDDLE_NPP_P_productM(S)                                                                   \
  const S *pSrc1, int nSrc1Step, const S *pSrc2, int nSrc2Step, const Npp8u *pMask, int nMaskStep, \
      Npp32f *pSrcDst, int nSrcDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_productM                                                                      \
  pSrc1, nSrc1Step, pSrc2, nSrc2Step, pMask, nMaskStep, pSrcDst, nSrcDstStep, oSizeROI
#define HEDDLE_NPP_P_weighted(S) HEDDLE_NPP_P_accumulate(S), Npp32f nAlpha
#define HEDDLE_NPP_A_weighted HEDDLE_NPP_A_accumulate, nAlpha
#define HEDDLE_NPP_P_weightedM(S) HEDDLE_NPP_P_accumulateM(S), Npp32f nAlpha
#define HEDDLE_NPP_A_weightedM HEDDLE_NPP_A_accumulateM, nAlpha
// ---- alpha composition: nppiAlphaCompC_8u_C1R(pSrc1, nSrc1Step, nAlpha1, pSrc2, nSrc2Step,
// nAlpha2, pDst, nDstStep, oSizeROI, eAlphaOp), nppiAlphaComp_8u_AC4R, nppiAlphaPremul(C)
#define HEDDLE_NPP_P_alphaCompC(S)                                                                 \
  const S *pSrc1, int nSrc1Step, S nAlpha1, const S *pSrc2, int nSrc2Step, S nAlpha2, S *pDst,     \
      int nDstStep, NppiSize oSizeROI, NppiAlphaOp eAlphaOp
#define HEDDLE_NPP_A_alphaCompC                                                                    \
  pSrc1, nSrc1Step, nAlpha1, pSrc2, nSrc2Step, nAlpha2, pDst, nDstStep, oSizeROI, eAlphaOp
#define HEDDLE_NPP_P_alphaComp(S) HEDDLE_NPP_P_binary(S, S), NppiAlphaOp eAlphaOp
#define HEDDLE_NPP_A_alphaComp HEDDLE_NPP_A_binary, eAlphaOp
#define HEDDLE_NPP_P_alphaPremulC(S)                                                               \
  const S *pSrc1, int nSrc1Step, S nAlpha1, S *pDst, int nDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_alphaPremulC pSrc1, nSrc1Step, nAlpha1, pDst, nDstStep, oSizeROI
#define HEDDLE_NPP_P_alphaPremulCI(S) S nAlpha1, S *pSrcDst, int nSrcDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_alphaPremulCI nAlpha1, pSrcDst, nSrcDstStep, oSizeROI

#define HEDDLE_NPP_ABS_DIFF_C(X, op, t, c) X(nppi##op##_##t##_##c##R, absDiffC, (Npp##t), op, c)
#define HEDDLE_NPP_DIV_ROUND(X, op, t, c)                                                          \
  X(nppi##op##_##t##_##c##RSfs, divRound, (Npp##t), Div, c)                                        \
  X(nppi##op##_##t##_##c##IRSfs, divRoundI, (Npp##t), Div, c)
#define HEDDLE_NPP_ACCUMULATE(X, t, S)                                                             \
  X(nppiAddSquare_##t##_C1IR, accumulate, (S), AddSquare, C1)                                      \
  X(nppiAddSquare_##t##_C1IMR, accumulateM, (S), AddSquare, C1)                                    \
  X(nppiAddProduct_##t##_C1IR, product, (S), AddProduct, C1)                                       \
  X(nppiAddProduct_##t##_C1IMR, productM, (S), AddProduct, C1)                                     \
  X(nppiAddWeighted_##t##_C1IR, weighted, (S), AddWeighted, C1)                                    \
  X(nppiAddWeighted_##t##_C1IMR, weightedM, (S), AddWeighted, C1)                                  \
  X(nppiAdd_##t##_C1IMR, accumulateM, (S), Add, C1)
#define HEDDLE_NPP_ALPHA_COMP_C(X, op, t, c) X(nppi##op##_##t##_##c##R, alphaCompC, (Npp##t), op, c)
#define HEDDLE_NPP_ALPHA_PREMUL_C(X, op, t, c)                                                     \
  X(nppi##op##_##t##_##c##R, alphaPremulC, (Npp##t), op, c)                                        \
  X(nppi##op##_##t##_##c##IR, alphaPremulCI, (Npp##t), op, c)
#define HEDDLE_NPP_ALPHA(X, t)                                                                     \
  X(nppiAlphaComp_##t##_AC1R, alphaComp, (Npp##t), AlphaComp, C1)                                  \
  X(nppiAlphaComp_##t##_AC4R, alphaComp, (Npp##t), AlphaComp, C4)                                  \
  X(nppiAlphaPremul_##t##_AC4R, unary, (Npp##t, Npp##t), AlphaPremul, C4)                          \
  X(nppiAlphaPremul_##t##_AC4IR, unaryI, (Npp##t), AlphaPremul, C4)                                \
  HEDDLE_NPP_C134A(HEDDLE_NPP_ALPHA_PREMUL_C, X, AlphaPremulC, t)
#define HEDDLE_NPPI_OTHER_ARITHMETIC(X)                                                            \
  HEDDLE_NPP_ABS_DIFF_C(X, AbsDiffC, 8u, C1)                                                       \
  HEDDLE_NPP_ABS_DIFF_C(X, AbsDiffC, 16u, C1)                                                      \
  HEDDLE_NPP_ABS_DIFF_C(X, AbsDiffC, 32f, C1)                                                      \
  HEDDLE_NPP_C134A(HEDDLE_NPP_DIV_ROUND, X, Div_Round, 8u)                                         \
  HEDDLE_NPP_C134A(HEDDLE_NPP_DIV_ROUND, X, Div_Round, 16u)                                        \
  HEDDLE_NPP_C134A(HEDDLE_NPP_DIV_ROUND, X, Div_Round, 16s)                                        \
  HEDDLE_NPP_ACCUMULATE(X, 8u32f, Npp8u)                                                           \
  HEDDLE_NPP_ACCUMULATE(X, 16u32f, Npp16u)                                                         \
  HEDDLE_NPP_ACCUMULATE(X, 32f, Npp32f)                                                            \
  X(nppiAdd_8u32f_C1IR, accumulate, (Npp8u), Add, C1)                                              \
  X(nppiAdd_16u32f_C1IR, accumulate, (Npp16u), Add, C1)                                            \
  HEDDLE_NPP_C134A(HEDDLE_NPP_ALPHA_COMP_C, X, AlphaCompC, 8u)                                     \
  HEDDLE_NPP_C134A(HEDDLE_NPP_ALPHA_COMP_C, X, AlphaCompC, 16u)                                    \
  HEDDLE_NPP_ALPHA_COMP_C(X, AlphaCompC, 8s, C1)                                                   \
  HEDDLE_NPP_ALPHA_COMP_C(X, AlphaCompC, 16s, C1)                                                  \
  HEDDLE_NPP_ALPHA_COMP_C(X, AlphaCompC, 32u, C1)                                                  \
  HEDDLE_NPP_ALPHA_COMP_C(X, AlphaCompC, 32s, C1)                                                  \
  HEDDLE_NPP_ALPHA_COMP_C(X, AlphaCompC, 32f, C1)                                                  \
  HEDDLE_NPP_ALPHA(X, 8u)                                                                          \
  HEDDLE_NPP_ALPHA(X, 16u)

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPI_BINARY(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_CONSTANT(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_UNARY(HEDDLE_NPP_DECLARE)
HEDDLE_NPPI_OTHER_ARITHMETIC(HEDDLE_NPP_DECLARE)
#ifdef __cplusplus
}
#endif

#endif
