// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA runtime for C and C++: the API, its typed C++ forms, the vector types and, in a .cu
// file, everything a kernel may use.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#ifndef __CUDACC_RTC__
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif
#if defined(__cplusplus) && __cplusplus >= 201103L && !defined(__CUDACC_RTC__)
#include <utility>
#endif

#include "builtin_types.h"
#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "host_config.h"
#include "host_defines.h"
#include "library_types.h"
#include "vector_functions.h"

#if defined(__cplusplus) && !defined(__CUDACC_RTC__)
#include "__heddle_host/cuda12_forms.h"
#include "__heddle_host/occupancy_templates.h"
#include "__heddle_host/runtime_templates.h"
#endif

#ifdef __CUDACC__
// The compiler calls this for the <<<grid, block, shared bytes, stream>>> of a launch.
extern "C" __host__ __device__ unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim,
                                                                        size_t sharedMem = 0,
                                                                        cudaStream_t stream = 0);

#if __has_include("__heddle/device.h")
#include "__heddle/device.h"
#include "cuda_device_runtime_api.h"
#endif

// Programs ask for the older headers that NVIDIA's cuda_runtime.h includes by their guards.
#include "common_functions.h"
#include "device_atomic_functions.h"
#include "device_double_functions.h"
#include "device_functions.h"
#include "device_launch_parameters.h"
#include "math_functions.h"
#include "sm_20_atomic_functions.h"
#include "sm_20_intrinsics.h"
#include "sm_30_intrinsics.h"
#include "sm_32_atomic_functions.h"
#include "sm_32_intrinsics.h"
#include "sm_35_atomic_functions.h"
#include "sm_35_intrinsics.h"
#include "sm_60_atomic_functions.h"
#include "sm_61_intrinsics.h"
#include "surface_functions.h"
#include "surface_indirect_functions.h"
#include "texture_fetch_functions.h"
#include "texture_indirect_functions.h"

#if defined(__cplusplus) && !defined(__CUDACC_RTC__)
#include "__heddle_host/texture_templates.h"
#endif
#endif

#endif
