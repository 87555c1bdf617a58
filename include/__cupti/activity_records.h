// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The records of cupti_activity.h in the forms that CUDA 12.8 and 13.5 have: what CUDA 13 has added
// follows what was there, so that its records serve programs of both.
#ifndef HEDDLE_CUPTI_ACTIVITY_RECORDS_H
#define HEDDLE_CUPTI_ACTIVITY_RECORDS_H

#include <__cupti/activity_kinds.h>
#include <cupti_callbacks.h>
#include <cupti_common.h>

/// What a record is about, as CUpti_ActivityObjectKind says.
typedef union {
  struct {
    uint32_t processId, threadId;
  } pt;
  struct {
    uint32_t deviceId, contextId, streamId;
  } dcs;
} CUpti_ActivityObjectKindId;

/// What all records begin with.
typedef struct PACKED_ALIGNMENT {
  CUpti_ActivityKind kind;
} CUpti_Activity;

/// A copy. Memcpy6 has it at its beginning.
typedef struct PACKED_ALIGNMENT {
  CUpti_ActivityKind kind;
  uint8_t copyKind, srcKind, dstKind, flags;
  uint64_t bytes, start, end;
  uint32_t deviceId, contextId, streamId, correlationId, runtimeCorrelationId, pad;
  void *reserved0;
  uint64_t graphNodeId;
  uint32_t graphId, channelID;
  CUpti_ChannelType channelType;
  uint32_t pad2;
} CUpti_ActivityMemcpy5;

/// CUDA 12.8's.
typedef struct PACKED_ALIGNMENT {
  CUpti_ActivityKind kind;
  uint8_t copyKind, srcKind, dstKind, flags;
  uint64_t bytes, start, end;
  uint32_t deviceId, contextId, streamId, correlationId, runtimeCorrelationId, pad;
  void *reserved0;
  uint64_t graphNodeId;
  uint32_t graphId, channelID;
  CUpti_ChannelType channelType;
  uint32_t pad2;
  uint64_t copyCount;
} CUpti_ActivityMemcpy6;

/// CUPTI_ACTIVITY_KIND_MEMCPY: a copy.
typedef struct PACKED_ALIGNMENT {
  CUpti_ActivityKind kind;
  uint8_t copyKind, srcKind, dstKind, flags;
  uint64_t bytes, start, end;
  uint32_t deviceId, contextId, streamId, correlationId, runtimeCorrelationId, pad;
  void *reserved0;
  uint64_t graphNodeId;
  uint32_t graphId, channelID;
  CUpti_ChannelType channelType;
  uint8_t isDeviceLaunched, pad2[3];
  uint64_t copyCount;
  uint32_t sourceGraphId, pad3;
  uint64_t sourceGraphNodeId;
} CUpti_ActivityMemcpy7;

/// CUPTI_ACTIVITY_KIND_MEMCPY2: a copy from one device to another.
typedef struct PACKED_ALIGNMENT {
  CUpti_ActivityKind kind;
  uint8_t copyKind, srcKind, dstKind, flags;
  uint64_t bytes, start, end;
  uint32_t deviceId, contextId, streamId, srcDeviceId, srcContextId, dstDeviceId, dstContextId;
  uint32_t correlationId;
  void *reserved0;
  uint64_t graphNodeId;
  uint32_t graphId, channelID;
  CUpti_ChannelType channelType;
} CUpti_ActivityMemcpyPtoP4;

/// CUDA 12.8's.
typedef struct PACKED_ALIGNMENT {
  CUpti_ActivityKind kind;
  uint32_t value;
  uint64_t bytes, start, end;
  uint32_t deviceId, contextId, streamId, correlationId;
  uint16_t flags, memoryKind;
  uint32_t pad;
  void *reserved0;
  uint64_t graphNodeId;
  uint32_t graphId, channelID;
  CUpti_ChannelType channelType;
  uint32_t pad2;
} CUpti_ActivityMemset4;

/// CUPTI_ACTIVITY_KIND_MEMSET: a fill.
typedef struct PACKED_ALIGNMENT {
  CUpti_ActivityKind kind;
  uint32_t value;
  uint64_t bytes, start, end;
  uint32_t deviceId, contextId, streamId, correlationId;
  uint16_t flags, memoryKind;
  uint32_t pad;
  void *reserved0;
  uint64_t graphNodeId;
  uint32_t graphId, channelID;
  CUpti_ChannelType channelType;
  uint8_t isDeviceLaunched, pad2[3];
  uint32_t sourceGraphId, pad3;
  uint64_t sourceGraphNodeId;
} CUpti_ActivityMemset5;

/// CUDA 12.8's.
typedef struct PACKED_ALIGNMENT {
  CUpti_ActivityKind kind;
  union {
    uint8_t both;
    struct {
      uint8_t requested : 4, executed : 4;
    } config;
  } cacheConfig;
  uint8_t sharedMemoryConfig;
  uint16_t registersPerThread;
  CUpti_ActivityPartitionedGlobalCacheConfig partitionedGlobalCacheRequested;
  CUpti_ActivityPartitionedGlobalCacheConfig partitionedGlobalCacheExecuted;
  uint64_t start, end, completed;
  uint32_t deviceId, contextId, streamId;
  int32_t gridX, gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory;
  uint32_t localMemoryPerThread, localMemoryTotal, correlationId;
  int64_t gridId;
  const char *name;
  void *reserved0;
  uint64_t queued, submitted;
  uint8_t launchType, isSharedMemoryCarveoutRequested, sharedMemoryCarveoutRequested, padding;
  uint32_t sharedMemoryExecuted;
  uint64_t graphNodeId;
  CUpti_FuncShmemLimitConfig shmemLimitConfig;
  uint32_t graphId;
  CUaccessPolicyWindow *pAccessPolicyWindow;
  uint32_t channelID;
  CUpti_ChannelType channelType;
  uint32_t clusterX, clusterY, clusterZ, clusterSchedulingPolicy;
  uint64_t localMemoryTotal_v2;
  uint32_t maxPotentialClusterSize, maxActiveClusters;
} CUpti_ActivityKernel9;

/// CUPTI_ACTIVITY_KIND_KERNEL and CONCURRENT_KERNEL: a kernel.
typedef struct PACKED_ALIGNMENT {
  CUpti_ActivityKind kind;
  union {
    uint8_t both;
    struct {
      uint8_t requested : 4, executed : 4;
    } config;
  } cacheConfig;
  uint8_t sharedMemoryConfig;
  uint16_t registersPerThread;
  CUpti_ActivityPartitionedGlobalCacheConfig partitionedGlobalCacheRequested;
  CUpti_ActivityPartitionedGlobalCacheConfig partitionedGlobalCacheExecuted;
  uint64_t start, end, completed;
  uint32_t deviceId, contextId, streamId;
  int32_t gridX, gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory;
  uint32_t localMemoryPerThread, localMemoryTotal, correlationId;
  int64_t gridId;
  const char *name;
  void *reserved0;
  uint64_t queued, submitted;
  uint8_t launchType, isSharedMemoryCarveoutRequested, sharedMemoryCarveoutRequested, padding;
  uint32_t sharedMemoryExecuted;
  uint64_t graphNodeId;
  CUpti_FuncShmemLimitConfig shmemLimitConfig;
  uint32_t graphId;
  CUaccessPolicyWindow *pAccessPolicyWindow;
  uint32_t channelID;
  CUpti_ChannelType channelType;
  uint32_t clusterX, clusterY, clusterZ, clusterSchedulingPolicy;
  uint64_t localMemoryTotal_v2;
  uint32_t maxPotentialClusterSize, maxActiveClusters;
  uint8_t isDeviceLaunched, padding3[7];
  int32_t priority;
  uint32_t padding4, executionModel, padding5, sourceGraphId, padding6;
  uint64_t sourceGraphNodeId;
} CUpti_ActivityKernel13;

/// CUPTI_ACTIVITY_KIND_RUNTIME and DRIVER: a call of the program's.
typedef struct PACKED_ALIGNMENT {
  CUpti_ActivityKind kind;
  CUpti_CallbackId cbid;
  uint64_t start, end;
  uint32_t processId, threadId, correlationId, returnValue;
} CUpti_ActivityAPI;

/// CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: the program has an id of its own for this call.
typedef struct PACKED_ALIGNMENT {
  CUpti_ActivityKind kind;
  CUpti_ExternalCorrelationKind externalKind;
  uint64_t externalId;
  uint32_t correlationId, reserved;
} CUpti_ActivityExternalCorrelation;

/// CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: the host, or a stream, waits.
typedef struct PACKED_ALIGNMENT {
  CUpti_ActivityKind kind;
  CUpti_ActivitySynchronizationType type;
  uint64_t start, end;
  uint32_t correlationId, contextId, streamId, cudaEventId;
  uint64_t cudaEventSyncId;
  uint32_t returnValue, pad;
} CUpti_ActivitySynchronization2;

/// CUDA 12.8's.
typedef struct PACKED_ALIGNMENT {
  CUpti_ActivityKind kind;
  uint32_t correlationId, contextId, streamId, eventId, pad, deviceId, pad2;
  void *reserved0;
  uint64_t deviceTimestamp, cudaEventSyncId;
} CUpti_ActivityCudaEvent2;

/// CUPTI_ACTIVITY_KIND_CUDA_EVENT: an event is recorded in a stream.
typedef struct PACKED_ALIGNMENT {
  CUpti_ActivityKind kind;
  uint32_t correlationId, contextId, streamId, eventId, pad, deviceId, pad2;
  void *reserved0;
  uint64_t deviceTimestamp, cudaEventSyncId, graphNodeId;
  uint32_t graphId, sourceGraphId;
  uint64_t sourceGraphNodeId;
} CUpti_ActivityCudaEvent3;

/// CUPTI_ACTIVITY_KIND_OVERHEAD.
typedef struct PACKED_ALIGNMENT {
  CUpti_ActivityKind kind;
  CUpti_ActivityOverheadKind overheadKind;
  CUpti_ActivityObjectKind objectKind;
  CUpti_ActivityObjectKindId objectId;
  uint64_t start, end;
  uint32_t correlationId, reserved0;
  void *overheadData;
} CUpti_ActivityOverhead3;

#endif
