// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL's functions, for whatever __NCCL_FUNCTION(result, name without nccl, parameters) makes of
// them.

// Memory that communication likes best: here any device memory.
__NCCL_FUNCTION(ncclResult_t, MemAlloc, (void **pointer, size_t size))
__NCCL_FUNCTION(ncclResult_t, MemFree, (void *pointer))

__NCCL_FUNCTION(ncclResult_t, GetVersion, (int *version))
__NCCL_FUNCTION(const char *, GetErrorString, (ncclResult_t result))
__NCCL_FUNCTION(const char *, GetLastError, (ncclComm_t comm))
__NCCL_FUNCTION(void, ResetDebugInit, (void))

// Communicators
__NCCL_FUNCTION(ncclResult_t, GetUniqueId, (ncclUniqueId * uniqueId))
__NCCL_FUNCTION(ncclResult_t, CommInitRank,
                (ncclComm_t * comm, int nranks, ncclUniqueId commId, int rank))
__NCCL_FUNCTION(ncclResult_t, CommInitRankConfig,
                (ncclComm_t * comm, int nranks, ncclUniqueId commId, int rank,
                 ncclConfig_t *config))
__NCCL_FUNCTION(ncclResult_t, CommInitRankScalable,
                (ncclComm_t * newcomm, int nranks, int myrank, int nId, ncclUniqueId *commIds,
                 ncclConfig_t *config))
__NCCL_FUNCTION(ncclResult_t, CommInitAll, (ncclComm_t * comm, int ndev, const int *devlist))
__NCCL_FUNCTION(ncclResult_t, CommSplit,
                (ncclComm_t comm, int color, int key, ncclComm_t *newcomm, ncclConfig_t *config))
__NCCL_FUNCTION(ncclResult_t, CommShrink,
                (ncclComm_t comm, int *excludeRanksList, int excludeRanksCount, ncclComm_t *newcomm,
                 ncclConfig_t *config, int shrinkFlags))
__NCCL_FUNCTION(ncclResult_t, CommFinalize, (ncclComm_t comm))
__NCCL_FUNCTION(ncclResult_t, CommDestroy, (ncclComm_t comm))
__NCCL_FUNCTION(ncclResult_t, CommAbort, (ncclComm_t comm))
__NCCL_FUNCTION(ncclResult_t, CommGetAsyncError, (ncclComm_t comm, ncclResult_t *asyncError))
__NCCL_FUNCTION(ncclResult_t, CommCount, (const ncclComm_t comm, int *count))
__NCCL_FUNCTION(ncclResult_t, CommCuDevice, (const ncclComm_t comm, int *device))
__NCCL_FUNCTION(ncclResult_t, CommUserRank, (const ncclComm_t comm, int *rank))
__NCCL_FUNCTION(ncclResult_t, CommRegister,
                (const ncclComm_t comm, void *buff, size_t size, void **handle))
__NCCL_FUNCTION(ncclResult_t, CommDeregister, (const ncclComm_t comm, void *handle))
__NCCL_FUNCTION(ncclResult_t, CommWindowRegister,
                (ncclComm_t comm, void *buff, size_t size, ncclWindow_t *win, int winFlags))
__NCCL_FUNCTION(ncclResult_t, CommWindowDeregister, (ncclComm_t comm, ncclWindow_t win))

// Reductions that scale what each rank gives
__NCCL_FUNCTION(ncclResult_t, RedOpCreatePreMulSum,
                (ncclRedOp_t * op, void *scalar, ncclDataType_t datatype,
                 ncclScalarResidence_t residence, ncclComm_t comm))
__NCCL_FUNCTION(ncclResult_t, RedOpDestroy, (ncclRedOp_t op, ncclComm_t comm))

// Collectives
__NCCL_FUNCTION(ncclResult_t, Reduce,
                (const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype,
                 ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream))
__NCCL_FUNCTION(ncclResult_t, Bcast,
                (void *buff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm,
                 cudaStream_t stream))
__NCCL_FUNCTION(ncclResult_t, Broadcast,
                (const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype,
                 int root, ncclComm_t comm, cudaStream_t stream))
__NCCL_FUNCTION(ncclResult_t, AllReduce,
                (const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype,
                 ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream))
__NCCL_FUNCTION(ncclResult_t, ReduceScatter,
                (const void *sendbuff, void *recvbuff, size_t recvcount, ncclDataType_t datatype,
                 ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream))
__NCCL_FUNCTION(ncclResult_t, AllGather,
                (const void *sendbuff, void *recvbuff, size_t sendcount, ncclDataType_t datatype,
                 ncclComm_t comm, cudaStream_t stream))

// Point to point
__NCCL_FUNCTION(ncclResult_t, Send,
                (const void *sendbuff, size_t count, ncclDataType_t datatype, int peer,
                 ncclComm_t comm, cudaStream_t stream))
__NCCL_FUNCTION(ncclResult_t, Recv,
                (void *recvbuff, size_t count, ncclDataType_t datatype, int peer, ncclComm_t comm,
                 cudaStream_t stream))

// Groups: calls that start together
__NCCL_FUNCTION(ncclResult_t, GroupStart, (void))
__NCCL_FUNCTION(ncclResult_t, GroupEnd, (void))
__NCCL_FUNCTION(ncclResult_t, GroupSimulateEnd, (ncclSimInfo_t * simInfo))
