// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cupti_pcsampling.h: sampling of program counters, which Heddle does not do
// (docs/compatibility.md).
#ifndef HEDDLE_CUPTI_PCSAMPLING_H
#define HEDDLE_CUPTI_PCSAMPLING_H

#include <cupti_result.h>

#ifdef __cplusplus
extern "C" {
#endif

/// `params`: each function's own struct.
CUptiResult CUPTIAPI cuptiPCSamplingEnable(void *params);
CUptiResult CUPTIAPI cuptiPCSamplingDisable(void *params);
CUptiResult CUPTIAPI cuptiPCSamplingStart(void *params);
CUptiResult CUPTIAPI cuptiPCSamplingStop(void *params);
CUptiResult CUPTIAPI cuptiPCSamplingGetData(void *params);

#ifdef __cplusplus
}
#endif

#endif
