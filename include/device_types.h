// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rounding modes of device arithmetic.
#ifndef __DEVICE_TYPES_H__
#define __DEVICE_TYPES_H__

#include "host_defines.h"

enum cudaRoundMode {
  cudaRoundNearest = 0,
  cudaRoundZero = 1,
  cudaRoundPosInf = 2,
  cudaRoundMinInf = 3
};

#endif
