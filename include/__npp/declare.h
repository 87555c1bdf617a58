// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How NPP's thousands of functions are listed. A header has a list for each family,
//
//   #define HEDDLE_NPP_FAMILY(X) X(name, shape, (types), what the implementation needs...)
//
// and a shape has its parameters in HEDDLE_NPP_P_<shape>(types) and their names in
// HEDDLE_NPP_A_<shape>. The header expands the list to declarations, the library to definitions.
// Each function exists twice: NAME uses the stream of nppSetStream, NAME_Ctx that of its last
// argument. CUDA 13 has removed the former.
#ifndef HEDDLE_NPP_DECLARE_H
#define HEDDLE_NPP_DECLARE_H

#include "../nppcore.h"
#include "../nppdefs.h"

#define HEDDLE_NPP_DECLARE(name, shape, types, ...)                                                \
  HEDDLE_REMOVED_IN_13 NppStatus name(HEDDLE_NPP_P_##shape types);                                 \
  NppStatus name##_Ctx(HEDDLE_NPP_P_##shape types, NppStreamContext nppStreamCtx);

// Functions for sizes of scratch memory that have no _Ctx in CUDA 13.
#define HEDDLE_NPP_DECLARE_SIZE(name, shape, types, ...)                                           \
  NppStatus name(HEDDLE_NPP_P_##shape types);                                                      \
  NppStatus name##_Ctx(HEDDLE_NPP_P_##shape types, NppStreamContext nppStreamCtx);

// The channel layouts that most families have.
#define HEDDLE_NPP_C134A(M, X, op, t)                                                              \
  M(X, op, t, C1) M(X, op, t, C3) M(X, op, t, C4) M(X, op, t, AC4)
#define HEDDLE_NPP_C34A(M, X, op, t) M(X, op, t, C3) M(X, op, t, C4) M(X, op, t, AC4)
#define HEDDLE_NPP_C13A(M, X, op, t) M(X, op, t, C1) M(X, op, t, C3) M(X, op, t, AC4)
#define HEDDLE_NPP_C134(M, X, op, t) M(X, op, t, C1) M(X, op, t, C3) M(X, op, t, C4)
#define HEDDLE_NPP_C13(M, X, op, t) M(X, op, t, C1) M(X, op, t, C3)

// Images: a source and a destination; in place; two sources; a constant.
#define HEDDLE_NPP_P_unary(S, D)                                                                   \
  const S *pSrc, int nSrcStep, D *pDst, int nDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_unary pSrc, nSrcStep, pDst, nDstStep, oSizeROI
#define HEDDLE_NPP_P_unaryI(D) D *pSrcDst, int nSrcDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_unaryI pSrcDst, nSrcDstStep, oSizeROI
#define HEDDLE_NPP_P_unarySfs(S, D) HEDDLE_NPP_P_unary(S, D), int nScaleFactor
#define HEDDLE_NPP_A_unarySfs HEDDLE_NPP_A_unary, nScaleFactor
#define HEDDLE_NPP_P_unaryISfs(D) HEDDLE_NPP_P_unaryI(D), int nScaleFactor
#define HEDDLE_NPP_A_unaryISfs HEDDLE_NPP_A_unaryI, nScaleFactor

#define HEDDLE_NPP_P_binary(S, D)                                                                  \
  const S *pSrc1, int nSrc1Step, const S *pSrc2, int nSrc2Step, D *pDst, int nDstStep,             \
      NppiSize oSizeROI
#define HEDDLE_NPP_A_binary pSrc1, nSrc1Step, pSrc2, nSrc2Step, pDst, nDstStep, oSizeROI
#define HEDDLE_NPP_P_binaryI(S, D)                                                                 \
  const S *pSrc, int nSrcStep, D *pSrcDst, int nSrcDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_binaryI pSrc, nSrcStep, pSrcDst, nSrcDstStep, oSizeROI
#define HEDDLE_NPP_P_binarySfs(S, D) HEDDLE_NPP_P_binary(S, D), int nScaleFactor
#define HEDDLE_NPP_A_binarySfs HEDDLE_NPP_A_binary, nScaleFactor
#define HEDDLE_NPP_P_binaryISfs(S, D) HEDDLE_NPP_P_binaryI(S, D), int nScaleFactor
#define HEDDLE_NPP_A_binaryISfs HEDDLE_NPP_A_binaryI, nScaleFactor

#define HEDDLE_NPP_P_constant(S, D, K)                                                             \
  const S *pSrc1, int nSrc1Step, const K nConstant, D *pDst, int nDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_constant pSrc1, nSrc1Step, nConstant, pDst, nDstStep, oSizeROI
#define HEDDLE_NPP_P_constantI(D, K)                                                               \
  const K nConstant, D *pSrcDst, int nSrcDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_constantI nConstant, pSrcDst, nSrcDstStep, oSizeROI
#define HEDDLE_NPP_P_constantSfs(S, D, K) HEDDLE_NPP_P_constant(S, D, K), int nScaleFactor
#define HEDDLE_NPP_A_constantSfs HEDDLE_NPP_A_constant, nScaleFactor
#define HEDDLE_NPP_P_constantISfs(D, K) HEDDLE_NPP_P_constantI(D, K), int nScaleFactor
#define HEDDLE_NPP_A_constantISfs HEDDLE_NPP_A_constantI, nScaleFactor

// A constant for each channel, in host memory.
#define HEDDLE_NPP_P_constants(S, D, K)                                                            \
  const S *pSrc1, int nSrc1Step, const K *aConstants, D *pDst, int nDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_constants pSrc1, nSrc1Step, aConstants, pDst, nDstStep, oSizeROI
#define HEDDLE_NPP_P_constantsI(D, K)                                                              \
  const K *aConstants, D *pSrcDst, int nSrcDstStep, NppiSize oSizeROI
#define HEDDLE_NPP_A_constantsI aConstants, pSrcDst, nSrcDstStep, oSizeROI
#define HEDDLE_NPP_P_constantsSfs(S, D, K) HEDDLE_NPP_P_constants(S, D, K), int nScaleFactor
#define HEDDLE_NPP_A_constantsSfs HEDDLE_NPP_A_constants, nScaleFactor
#define HEDDLE_NPP_P_constantsISfs(D, K) HEDDLE_NPP_P_constantsI(D, K), int nScaleFactor
#define HEDDLE_NPP_A_constantsISfs HEDDLE_NPP_A_constantsI, nScaleFactor

#endif
