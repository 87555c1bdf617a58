// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What NCCL 2.28 has made of sends and receives, as functions.h lists the others.
__NCCL_FUNCTION(ncclResult_t, AlltoAll,
                (const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype,
                 ncclComm_t comm, cudaStream_t stream))
__NCCL_FUNCTION(ncclResult_t, Gather,
                (const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype,
                 int root, ncclComm_t comm, cudaStream_t stream))
__NCCL_FUNCTION(ncclResult_t, Scatter,
                (const void *sendbuff, void *recvbuff, size_t count, ncclDataType_t datatype,
                 int root, ncclComm_t comm, cudaStream_t stream))
