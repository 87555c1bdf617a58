// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filters of signals (libnpps): nppsIntegral_32s, the sums of all samples up to each.
#ifndef NV_NPPS_FILTERING_FUNCTIONS_H
#define NV_NPPS_FILTERING_FUNCTIONS_H

#include "__npp/declare.h"

#define HEDDLE_NPP_P_signalIntegral(T) const T *pSrc, T *pDst, size_t nLength, Npp8u *pDeviceBuffer
#define HEDDLE_NPP_A_signalIntegral pSrc, pDst, nLength, pDeviceBuffer
#define HEDDLE_NPP_P_signalIntegralSize() size_t nLength, size_t *hpDeviceBufferSize
#define HEDDLE_NPP_A_signalIntegralSize nLength, hpDeviceBufferSize
#define HEDDLE_NPPS_FILTERING(X)                                                                   \
  X(nppsIntegral_32s, signalIntegral, (Npp32s), 0)                                                 \
  X(nppsIntegralGetBufferSize_32s, signalIntegralSize, (), 0)

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPS_FILTERING(HEDDLE_NPP_DECLARE)
#ifdef __cplusplus
}
#endif

#endif
