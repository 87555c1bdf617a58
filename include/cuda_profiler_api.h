// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaProfilerStart and cudaProfilerStop; they are with the rest of the runtime API.
#include "cuda_runtime_api.h"
