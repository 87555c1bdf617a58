// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runtime API: execution contexts, which are a device or a part of its multiprocessors (CUDA 13.1).
#ifndef HEDDLE_HOST_NEWER_CONTEXTS_H
#define HEDDLE_HOST_NEWER_CONTEXTS_H

#ifndef HEDDLE_HOST_API
#error "Include <cuda_runtime_api.h> instead."
#endif

#ifdef __CUDART_API_PER_THREAD_DEFAULT_STREAM
#define cudaStreamGetDevResource cudaStreamGetDevResource_ptsz
#endif

typedef struct cudaExecutionContext_st *cudaExecutionContext_t;
typedef struct CUdevResourceDesc_st *cudaDevResourceDesc_t;

enum cudaDevResourceType {
  cudaDevResourceTypeInvalid = 0,
  cudaDevResourceTypeSm = 1,
  cudaDevResourceTypeWorkqueueConfig = 1000,
  cudaDevResourceTypeWorkqueue = 10000
};

enum cudaDevSmResourceSplitByCount_flags {
  cudaDevSmResourceSplitIgnoreSmCoscheduling = 1,
  cudaDevSmResourceSplitMaxPotentialClusterSize = 2
};

enum cudaDevSmResourceGroup_flags {
  cudaDevSmResourceGroupDefault = 0,
  cudaDevSmResourceGroupBackfill = 1,
  cudaDevSmResourceGroupLocalityDomainId = 2,
  cudaDevSmResourceGroupLocalityDomainSupplementalSms = 4
};
#define cudaDevSmResourceGroupLocalityDomainIdAny (~0u)

typedef struct cudaDevSmResourceGroupParams_st {
  unsigned int smCount;
  unsigned int coscheduledSmCount;
  unsigned int preferredCoscheduledSmCount;
  unsigned int flags;
  unsigned int localityDomainId;
  unsigned int reserved[11];
} cudaDevSmResourceGroupParams;

struct cudaDevSmResource {
  unsigned int smCount;
  unsigned int minSmPartitionSize;
  unsigned int smCoscheduledAlignment;
  unsigned int flags;
};

typedef struct cudaDevResource_st {
  enum cudaDevResourceType type;
  unsigned char _internal_padding[92];
  union {
    struct cudaDevSmResource sm;
    unsigned char _oversize[40];
  };
  struct cudaDevResource_st *nextResource;
} cudaDevResource;

cudaError_t cudaDeviceGetDevResource(int device, cudaDevResource *resource,
                                     enum cudaDevResourceType type);
cudaError_t cudaDevSmResourceSplitByCount(cudaDevResource *result, unsigned int *nbGroups,
                                          const cudaDevResource *input, cudaDevResource *remaining,
                                          unsigned int flags, unsigned int minCount);
cudaError_t cudaDevSmResourceSplit(cudaDevResource *result, unsigned int nbGroups,
                                   const cudaDevResource *input, cudaDevResource *remainder,
                                   unsigned int flags, cudaDevSmResourceGroupParams *groupParams);
cudaError_t cudaDevResourceGenerateDesc(cudaDevResourceDesc_t *phDesc, cudaDevResource *resources,
                                        unsigned int nbResources);
cudaError_t cudaGreenCtxCreate(cudaExecutionContext_t *phCtx, cudaDevResourceDesc_t desc,
                               int device, unsigned int flags);
cudaError_t cudaDeviceGetExecutionCtx(cudaExecutionContext_t *ctx, int device);
cudaError_t cudaExecutionCtxDestroy(cudaExecutionContext_t ctx);
cudaError_t cudaExecutionCtxGetDevResource(cudaExecutionContext_t ctx, cudaDevResource *resource,
                                           enum cudaDevResourceType type);
cudaError_t cudaExecutionCtxGetDevice(int *device, cudaExecutionContext_t ctx);
cudaError_t cudaExecutionCtxGetId(cudaExecutionContext_t ctx, unsigned long long *ctxId);
cudaError_t cudaExecutionCtxStreamCreate(cudaStream_t *phStream, cudaExecutionContext_t ctx,
                                         unsigned int flags, int priority);
cudaError_t cudaExecutionCtxSynchronize(cudaExecutionContext_t ctx);
cudaError_t cudaExecutionCtxRecordEvent(cudaExecutionContext_t ctx, cudaEvent_t event);
cudaError_t cudaExecutionCtxWaitEvent(cudaExecutionContext_t ctx, cudaEvent_t event);
cudaError_t cudaStreamGetDevResource(cudaStream_t hStream, cudaDevResource *resource,
                                     enum cudaDevResourceType type);

// `ctx`: null for the current device.
cudaError_t cudaGraphConditionalHandleCreate_v2(cudaGraphConditionalHandle *pHandle_out,
                                                cudaGraph_t graph,
                                                cudaExecutionContext_t ctx HEDDLE_DEFAULT(NULL),
                                                unsigned int defaultLaunchValue HEDDLE_DEFAULT(0),
                                                unsigned int flags HEDDLE_DEFAULT(0));

#endif
