// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cusparse.h: sparse matrices and vectors. The parts are in __cusparse/: types, helpers (handles
// and descriptors of the older functions), generic (descriptors of any format and type), the
// functions of one type each that CUDA 12 has (classic), and those that it has no longer (legacy).
#ifndef CUSPARSE_H_
#define CUSPARSE_H_

#include "cuComplex.h"
#ifdef __cplusplus
#include "cuda_fp16.h"
#endif
#include "driver_types.h"
#include "library_types.h"

#include <stdint.h>
#include <stdio.h>

#include "__cusparse/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "__cusparse/helpers.h"

#include "__cusparse/generic.h"

#define __HEDDLE_SDCZ(X)                                                                           \
  X(S, float, float)                                                                               \
  X(D, double, double)                                                                             \
  X(C, cuComplex, float)                                                                           \
  X(Z, cuDoubleComplex, double)
#include "__cusparse/classic.h"
#include "__cusparse/classic_block.h"
#ifndef HEDDLE_WITHOUT_REMOVED
#include "__cusparse/legacy.h"
#endif
#undef __HEDDLE_SDCZ

#ifdef __cplusplus
}
#endif

#endif
