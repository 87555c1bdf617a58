// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear transforms of images (libnppist): nppiMagnitude, nppiMagnitudeSqr.
#ifndef NV_NPPI_LINEAR_TRANSFORMS_H
#define NV_NPPI_LINEAR_TRANSFORMS_H

#include "__npp/declare.h"

#define HEDDLE_NPP_P_magnitude(S, D) HEDDLE_NPP_P_unary(S, D)
#define HEDDLE_NPP_A_magnitude HEDDLE_NPP_A_unary
#define HEDDLE_NPPI_LINEAR(X)                                                                      \
  X(nppiMagnitude_32fc32f_C1R, magnitude, (Npp32fc, Npp32f), false)                                \
  X(nppiMagnitudeSqr_32fc32f_C1R, magnitude, (Npp32fc, Npp32f), true)

#ifdef __cplusplus
extern "C" {
#endif
HEDDLE_NPPI_LINEAR(HEDDLE_NPP_DECLARE)
#ifdef __cplusplus
}
#endif

#endif
