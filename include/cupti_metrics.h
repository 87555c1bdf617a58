// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cupti_metrics.h: metrics of counters, of which Heddle has none (docs/compatibility.md).
#ifndef HEDDLE_CUPTI_METRICS_H
#define HEDDLE_CUPTI_METRICS_H

#include <cuda.h>
#include <cuda_stdint.h>
#include <cupti_result.h>

typedef uint32_t CUpti_MetricID;

#ifdef __cplusplus
extern "C" {
#endif

CUptiResult CUPTIAPI cuptiDeviceGetNumMetrics(CUdevice device, uint32_t *numMetrics);
CUptiResult CUPTIAPI cuptiMetricGetIdFromName(CUdevice device, const char *metricName,
                                              CUpti_MetricID *metric);

#ifdef __cplusplus
}
#endif

#endif
