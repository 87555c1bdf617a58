// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// threadIdx, blockIdx, blockDim, gridDim and warpSize. In a .cu file the compiler's own headers
// define them; elsewhere they are only declared, so that editors know the names.
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "vector_types.h"

#ifndef __CUDACC__
#ifdef __cplusplus
extern "C" {
#endif
extern const uint3 threadIdx;
extern const uint3 blockIdx;
extern const dim3 blockDim;
extern const dim3 gridDim;
extern const int warpSize;
#ifdef __cplusplus
}
#endif
#endif

#endif
