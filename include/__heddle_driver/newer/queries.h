// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: what CUDA 12.8 to 13.3 added to say of streams, functions, links and graphs, and to
// do with green contexts.
#ifndef HEDDLE_DRIVER_NEWER_QUERIES_H
#define HEDDLE_DRIVER_NEWER_QUERIES_H

#ifndef HEDDLE_DRIVER_API
#error "Include <cuda.h> instead."
#endif

#ifdef __CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cuStreamGetDevice cuStreamGetDevice_ptsz
#define cuStreamGetDevResource cuStreamGetDevResource_ptsz
#define cuLaunchHostFunc_v2 cuLaunchHostFunc_v2_ptsz
#endif

typedef enum {
  CU_DEV_SM_RESOURCE_GROUP_DEFAULT = 0,
  CU_DEV_SM_RESOURCE_GROUP_BACKFILL = 0x1,
  CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID = 0x2,
  CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_SUPPLEMENTAL_SMS = 0x4
} CUdevSmResourceGroup_flags;
#define CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID_ANY (~0u)

typedef struct CU_DEV_SM_RESOURCE_GROUP_PARAMS_st {
  unsigned int smCount;
  unsigned int coscheduledSmCount;
  unsigned int preferredCoscheduledSmCount;
  unsigned int flags;
  unsigned int localityDomainId;
  unsigned int reserved[11];
} CU_DEV_SM_RESOURCE_GROUP_PARAMS;

typedef enum CUatomicOperation_enum {
  CU_ATOMIC_OPERATION_INTEGER_ADD = 0,
  CU_ATOMIC_OPERATION_INTEGER_MIN = 1,
  CU_ATOMIC_OPERATION_INTEGER_MAX = 2,
  CU_ATOMIC_OPERATION_INTEGER_INCREMENT = 3,
  CU_ATOMIC_OPERATION_INTEGER_DECREMENT = 4,
  CU_ATOMIC_OPERATION_AND = 5,
  CU_ATOMIC_OPERATION_OR = 6,
  CU_ATOMIC_OPERATION_XOR = 7,
  CU_ATOMIC_OPERATION_EXCHANGE = 8,
  CU_ATOMIC_OPERATION_CAS = 9,
  CU_ATOMIC_OPERATION_FLOAT_ADD = 10,
  CU_ATOMIC_OPERATION_FLOAT_MIN = 11,
  CU_ATOMIC_OPERATION_FLOAT_MAX = 12,
  CU_ATOMIC_OPERATION_MAX
} CUatomicOperation;

typedef enum CUatomicOperationCapability_enum {
  CU_ATOMIC_CAPABILITY_SIGNED = 1U << 0,
  CU_ATOMIC_CAPABILITY_UNSIGNED = 1U << 1,
  CU_ATOMIC_CAPABILITY_REDUCTION = 1U << 2,
  CU_ATOMIC_CAPABILITY_SCALAR_32 = 1U << 3,
  CU_ATOMIC_CAPABILITY_SCALAR_64 = 1U << 4,
  CU_ATOMIC_CAPABILITY_SCALAR_128 = 1U << 5,
  CU_ATOMIC_CAPABILITY_VECTOR_32x4 = 1U << 6
} CUatomicOperationCapability;

typedef enum CUhostTaskSyncMode_enum {
  CU_HOST_TASK_BLOCKING = 0x0,
  CU_HOST_TASK_SPINWAIT = 0x1
} CUhostTaskSyncMode;

CUresult cuDevSmResourceSplit(CUdevResource *result, unsigned int nbGroups,
                              const CUdevResource *input, CUdevResource *remainder,
                              unsigned int flags, CU_DEV_SM_RESOURCE_GROUP_PARAMS *groupParams);
CUresult cuStreamGetDevice(CUstream stream, CUdevice *device);
CUresult cuFuncGetParamCount(CUfunction function, size_t *count);
CUresult cuKernelGetParamCount(CUkernel kernel, size_t *count);
CUresult cuLaunchHostFunc_v2(CUstream stream, CUhostFn function, void *userData,
                             unsigned int syncMode);
CUresult cuDeviceGetHostAtomicCapabilities(unsigned int *capabilities,
                                           const CUatomicOperation *operations, unsigned int count,
                                           CUdevice device);
CUresult cuDeviceGetP2PAtomicCapabilities(unsigned int *capabilities,
                                          const CUatomicOperation *operations, unsigned int count,
                                          CUdevice source, CUdevice destination);

CUresult cuGraphGetId(CUgraph graph, unsigned int *id);
CUresult cuGraphExecGetId(CUgraphExec executable, unsigned int *id);
CUresult cuGraphNodeGetContainingGraph(CUgraphNode node, CUgraph *graph);
CUresult cuGraphNodeGetLocalId(CUgraphNode node, unsigned int *id);
CUresult cuGraphNodeGetToolsId(CUgraphNode node, unsigned long long *id);
CUresult cuGraphNodeGetParams(CUgraphNode node, CUgraphNodeParams *parameters);

CUresult cuGreenCtxStreamCreate(CUstream *stream, CUgreenCtx context, unsigned int flags,
                                int priority);
CUresult cuGreenCtxGetId(CUgreenCtx context, unsigned long long *id);
CUresult cuStreamGetDevResource(CUstream stream, CUdevResource *resource, CUdevResourceType type);
CUresult cuCtxRecordEvent(CUcontext context, CUevent event);
CUresult cuCtxWaitEvent(CUcontext context, CUevent event);

/* The log of errors. */
typedef enum CUlogLevel_enum { CU_LOG_LEVEL_ERROR = 0, CU_LOG_LEVEL_WARNING = 1 } CUlogLevel;
typedef struct CUlogsCallbackEntry_st *CUlogsCallbackHandle;
typedef unsigned int CUlogIterator;
typedef void(CUDA_CB *CUlogsCallback)(void *data, CUlogLevel logLevel, char *message,
                                      size_t length);
CUresult cuLogsRegisterCallback(CUlogsCallback callback, void *userData,
                                CUlogsCallbackHandle *handle);
CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle handle);
CUresult cuLogsCurrent(CUlogIterator *iterator, unsigned int flags);
CUresult cuLogsDumpToFile(CUlogIterator *iterator, const char *pathToFile, unsigned int flags);
CUresult cuLogsDumpToMemory(CUlogIterator *iterator, char *buffer, size_t *size,
                            unsigned int flags);

#endif
