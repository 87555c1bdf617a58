// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cupti_events.h: the types of counters, of which Heddle has none (docs/compatibility.md).
#ifndef HEDDLE_CUPTI_EVENTS_H
#define HEDDLE_CUPTI_EVENTS_H

#include <cuda.h>
#include <cuda_stdint.h>
#include <cupti_result.h>

typedef uint32_t CUpti_EventID;
typedef uint32_t CUpti_EventDomainID;
typedef void *CUpti_EventGroup;

#ifdef __cplusplus
extern "C" {
#endif

CUptiResult CUPTIAPI cuptiDeviceGetNumEventDomains(CUdevice device, uint32_t *numDomains);
CUptiResult CUPTIAPI cuptiEventGetIdFromName(CUdevice device, const char *eventName,
                                             CUpti_EventID *event);
CUptiResult CUPTIAPI cuptiEventGroupCreate(CUcontext context, CUpti_EventGroup *eventGroup,
                                           uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
