// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rounding modes of device arithmetic.
#ifndef HEDDLE_DEVICE_TYPES_H
#define HEDDLE_DEVICE_TYPES_H

#include "host_defines.h"

enum cudaRoundMode {
  cudaRoundNearest = 0,
  cudaRoundZero = 1,
  cudaRoundPosInf = 2,
  cudaRoundMinInf = 3
};

#endif
