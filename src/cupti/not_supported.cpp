// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUPTI has for hardware alone: counters and samples of program counters. heddle profile
// counts what kernels do.
#include "cupti/result.h"

#pragma GCC visibility push(default)
#include <cupti_pcsampling.h>
#include <cupti_profiler_target.h>
#pragma GCC visibility pop

using namespace heddle;

namespace {
CUptiResult counters() {
  return cupti::call([] { return cupti::notSupported("counters of hardware"); });
}
CUptiResult samples() {
  return cupti::call([] { return cupti::notSupported("sampling of program counters"); });
}
} // namespace

CUptiResult cuptiDeviceGetNumEventDomains(CUdevice, uint32_t *) { return counters(); }
CUptiResult cuptiEventGetIdFromName(CUdevice, const char *, CUpti_EventID *) { return counters(); }
CUptiResult cuptiEventGroupCreate(CUcontext, CUpti_EventGroup *, uint32_t) { return counters(); }
CUptiResult cuptiDeviceGetNumMetrics(CUdevice, uint32_t *) { return counters(); }
CUptiResult cuptiMetricGetIdFromName(CUdevice, const char *, CUpti_MetricID *) {
  return counters();
}
CUptiResult cuptiProfilerInitialize(void *) { return counters(); }
CUptiResult cuptiProfilerDeInitialize(void *) { return counters(); }
CUptiResult cuptiProfilerDeviceSupported(void *) { return counters(); }
CUptiResult cuptiProfilerBeginSession(void *) { return counters(); }
CUptiResult cuptiProfilerEndSession(void *) { return counters(); }

CUptiResult cuptiPCSamplingEnable(void *) { return samples(); }
CUptiResult cuptiPCSamplingDisable(void *) { return samples(); }
CUptiResult cuptiPCSamplingStart(void *) { return samples(); }
CUptiResult cuptiPCSamplingStop(void *) { return samples(); }
CUptiResult cuptiPCSamplingGetData(void *) { return samples(); }
