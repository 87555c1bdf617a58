// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuProfilerStart and cuProfilerStop, the driver API's; cuda_profiler_api.h has the runtime's.
#ifndef CUDAPROFILER_H
#define CUDAPROFILER_H
#include "cuda.h"
#endif
