// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows, memory that all ranks know of, and NCCL 2.29's operations on them, as functions.h lists
// the others.
__NCCL_FUNCTION(ncclResult_t, CommWindowRegister,
                (ncclComm_t comm, void *buff, size_t size, ncclWindow_t *win, int winFlags))
__NCCL_FUNCTION(ncclResult_t, CommWindowDeregister, (ncclComm_t comm, ncclWindow_t win))
__NCCL_FUNCTION(ncclResult_t, WinGetUserPtr, (ncclComm_t comm, ncclWindow_t win, void **outUserPtr))

// One side's operations: it writes to a peer's window, and the peer waits for the signal.
__NCCL_FUNCTION(ncclResult_t, PutSignal,
                (const void *localbuff, size_t count, ncclDataType_t datatype, int peer,
                 ncclWindow_t peerWin, size_t peerWinOffset, int sigIdx, int ctx,
                 unsigned int flags, ncclComm_t comm, cudaStream_t stream))
__NCCL_FUNCTION(ncclResult_t, Signal,
                (int peer, int sigIdx, int ctx, unsigned int flags, ncclComm_t comm,
                 cudaStream_t stream))
__NCCL_FUNCTION(ncclResult_t, WaitSignal,
                (int nDesc, ncclWaitSignalDesc_t *signalDescs, ncclComm_t comm,
                 cudaStream_t stream))
