// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cupti_profiler_target.h: counters by ranges, of which Heddle has none (docs/compatibility.md).
#ifndef HEDDLE_CUPTI_PROFILER_TARGET_H
#define HEDDLE_CUPTI_PROFILER_TARGET_H

#include <cupti_result.h>

#ifdef __cplusplus
extern "C" {
#endif

/// `params`: each function's own struct.
CUptiResult CUPTIAPI cuptiProfilerInitialize(void *params);
CUptiResult CUPTIAPI cuptiProfilerDeInitialize(void *params);
CUptiResult CUPTIAPI cuptiProfilerDeviceSupported(void *params);
CUptiResult CUPTIAPI cuptiProfilerBeginSession(void *params);
CUptiResult CUPTIAPI cuptiProfilerEndSession(void *params);

#ifdef __cplusplus
}
#endif

#endif
