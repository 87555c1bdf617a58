// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's switches of the profiler (cuProfilerStart and cuProfilerStop are in cuda.h);
// cuda_profiler_api.h has the runtime's.
#ifndef CUDAPROFILER_H
#define CUDAPROFILER_H
#include "cuda.h"

typedef enum CUoutput_mode_enum { CU_OUT_KEY_VALUE_PAIR = 0, CU_OUT_CSV = 1 } CUoutput_mode;

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuProfilerInitialize(const char *configFile, const char *outputFile,
                              CUoutput_mode outputMode);
#ifdef __cplusplus
}
#endif
#endif
