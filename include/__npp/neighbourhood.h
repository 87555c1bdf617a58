// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters that functions with a border have: where the region of interest lies in the image.
#ifndef HEDDLE_NPP_NEIGHBOURHOOD_H
#define HEDDLE_NPP_NEIGHBOURHOOD_H

#define HEDDLE_NPP_P_border(S, D)                                                                  \
  const S *pSrc, int nSrcStep, NppiSize oSrcSize, NppiPoint oSrcOffset, D *pDst, int nDstStep,     \
      NppiSize oSizeROI
#define HEDDLE_NPP_A_border pSrc, nSrcStep, oSrcSize, oSrcOffset, pDst, nDstStep, oSizeROI

#endif
