// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL's operations, and what needs no communicator, for whatever __NCCL_FUNCTION(result, name
// without nccl, parameters) makes of them.

// Memory that communication likes best: here any device memory.
__NCCL_FUNCTION(ncclResult_t, MemAlloc, (void **pointer, size_t size))
__NCCL_FUNCTION(ncclResult_t, MemFree, (void *pointer))

__NCCL_FUNCTION(ncclResult_t, GetVersion, (int *version))
__NCCL_FUNCTION(const char *, GetErrorString, (ncclResult_t result))
__NCCL_FUNCTION(const char *, GetLastError, (ncclComm_t comm))
__NCCL_FUNCTION(void, ResetDebugInit, (void))

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
