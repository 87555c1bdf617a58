// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA runtime for C and C++: the API, its typed C++ forms, the vector types and, in a .cu
// file, everything a kernel may use.
#ifndef HEDDLE_CUDA_RUNTIME_H
#define HEDDLE_CUDA_RUNTIME_H

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__cplusplus) && __cplusplus >= 201103L
#include <utility>
#endif

#include "builtin_types.h"
#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "host_defines.h"
#include "library_types.h"
#include "vector_functions.h"

#ifdef __cplusplus
#include "__heddle_host/cuda13_overloads.h"
#include "__heddle_host/occupancy_templates.h"
#include "__heddle_host/runtime_templates.h"
#endif

#ifdef __CUDACC__
// The compiler calls this for the <<<grid, block, shared bytes, stream>>> of a launch.
extern "C" unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim,
                                                    size_t sharedMem = 0, cudaStream_t stream = 0);

#if __has_include("__heddle/device.h")
#include "__heddle/device.h"
#endif
#endif

#endif
