// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cupti_activity.h: records of what a program does on the host and on devices. It gives CUPTI
// buffers by one callback, and gets them back with records by another.
//
// Here is what Heddle can record: docs/compatibility.md.
#ifndef HEDDLE_CUPTI_ACTIVITY_H
#define HEDDLE_CUPTI_ACTIVITY_H

#include <__cupti/activity_records.h>
#include <cuda.h>
#include <cupti_callbacks.h>
#include <cupti_common.h>
#include <cupti_events.h>
#include <cupti_metrics.h>
#include <cupti_result.h>

#define CUPTI_INVALID_CONTEXT_ID ((uint32_t)0xFFFFFFFFU)
#define CUPTI_INVALID_STREAM_ID ((uint32_t)0xFFFFFFFFU)
#define CUPTI_INVALID_CHANNEL_ID ((uint32_t)0xFFFFFFFFU)
#define CUPTI_SYNCHRONIZATION_INVALID_VALUE ((uint32_t)0xFFFFFFFFU)
#define CUPTI_CORRELATION_ID_UNKNOWN 0
#define CUPTI_GRID_ID_UNKNOWN 0LL
#define CUPTI_TIMESTAMP_UNKNOWN 0LL

#ifdef __cplusplus
extern "C" {
#endif

/// Nanoseconds, as records have them.
CUptiResult CUPTIAPI cuptiGetTimestamp(uint64_t *timestamp);
CUptiResult CUPTIAPI cuptiGetContextId(CUcontext context, uint32_t *contextId);
CUptiResult CUPTIAPI cuptiGetStreamId(CUcontext context, CUstream stream, uint32_t *streamId);
/// `perThreadStream`: what stream 0 means.
CUptiResult CUPTIAPI cuptiGetStreamIdEx(CUcontext context, CUstream stream, uint8_t perThreadStream,
                                        uint32_t *streamId);
CUptiResult CUPTIAPI cuptiGetDeviceId(CUcontext context, uint32_t *deviceId);
CUptiResult CUPTIAPI cuptiComputeCapabilitySupported(int major, int minor, int *support);
CUptiResult CUPTIAPI cuptiDeviceSupported(CUdevice dev, int *support);

CUptiResult CUPTIAPI cuptiActivityEnable(CUpti_ActivityKind kind);
CUptiResult CUPTIAPI cuptiActivityDisable(CUpti_ActivityKind kind);
CUptiResult CUPTIAPI cuptiActivityEnableContext(CUcontext context, CUpti_ActivityKind kind);
CUptiResult CUPTIAPI cuptiActivityDisableContext(CUcontext context, CUpti_ActivityKind kind);
/// Calls of this function only, while the kind RUNTIME (or DRIVER) is not enabled as a whole.
CUptiResult CUPTIAPI cuptiActivityEnableRuntimeApi(CUpti_CallbackId cbid, uint8_t enable);
CUptiResult CUPTIAPI cuptiActivityEnableDriverApi(CUpti_CallbackId cbid, uint8_t enable);

typedef void(CUPTIAPI *CUpti_BuffersCallbackRequestFunc)(uint8_t **buffer, size_t *size,
                                                         size_t *maxNumRecords);
typedef void(CUPTIAPI *CUpti_BuffersCallbackCompleteFunc)(CUcontext context, uint32_t streamId,
                                                          uint8_t *buffer, size_t size,
                                                          size_t validSize);
CUptiResult CUPTIAPI
cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc funcBufferRequested,
                               CUpti_BuffersCallbackCompleteFunc funcBufferCompleted);
/// Gives back the buffers that have records. Work that has not ended has none.
CUptiResult CUPTIAPI cuptiActivityFlush(CUcontext context, uint32_t streamId, uint32_t flag);
CUptiResult CUPTIAPI cuptiActivityFlushAll(uint32_t flag);
/// Milliseconds; 0: only what is asked for.
CUptiResult CUPTIAPI cuptiActivityFlushPeriod(uint32_t time);
/// `*record` null: the first one. CUPTI_ERROR_MAX_LIMIT_REACHED behind the last.
CUptiResult CUPTIAPI cuptiActivityGetNextRecord(uint8_t *buffer, size_t validBufferSizeBytes,
                                                CUpti_Activity **record);
/// Since it was last asked for.
CUptiResult CUPTIAPI cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t streamId,
                                                       size_t *dropped);
CUptiResult CUPTIAPI cuptiActivityGetAttribute(CUpti_ActivityAttribute attr, size_t *valueSize,
                                               void *value);
CUptiResult CUPTIAPI cuptiActivitySetAttribute(CUpti_ActivityAttribute attr, size_t *valueSize,
                                               void *value);

/// What the calling thread calls from now on belongs to `id`. Ids of a kind are a stack.
CUptiResult CUPTIAPI cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                            uint64_t id);
CUptiResult CUPTIAPI cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                           uint64_t *lastId);

typedef uint64_t(CUPTIAPI *CUpti_TimestampCallbackFunc)(void);
/// The clock that records are to have; null: CUPTI's own.
CUptiResult CUPTIAPI
cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc funcTimestamp);
CUptiResult CUPTIAPI cuptiSetThreadIdType(CUpti_ActivityThreadIdType type);
CUptiResult CUPTIAPI cuptiGetThreadIdType(CUpti_ActivityThreadIdType *type);
/// The calling thread's last result that was not CUPTI_SUCCESS.
CUptiResult CUPTIAPI cuptiGetLastError(void);

/// Not supported.
CUptiResult CUPTIAPI cuptiActivityEnableLatencyTimestamps(uint8_t enable);
CUptiResult CUPTIAPI cuptiActivityEnableCudaEventDeviceTimestamps(uint8_t enable);
CUptiResult CUPTIAPI cuptiActivityEnableLaunchAttributes(uint8_t enable);
CUptiResult CUPTIAPI cuptiActivityEnableHWTrace(uint8_t enable);

/// Ends all that was enabled, as if CUPTI had not been used.
CUptiResult CUPTIAPI cuptiFinalize(void);

#ifdef __cplusplus
}
#endif

#endif
