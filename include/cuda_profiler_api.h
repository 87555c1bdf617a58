// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaProfilerStart and cudaProfilerStop; they are with the rest of the runtime API.
#ifndef __CUDA_PROFILER_API_H__
#define __CUDA_PROFILER_API_H__
#include "cuda_runtime_api.h"
#endif
