// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of nccl_device.h, as functions.h lists the others.
__NCCL_FUNCTION(ncclResult_t, DevCommCreate,
                (ncclComm_t comm, ncclDevCommRequirements_t const *reqs, ncclDevComm_t *outDevComm))
__NCCL_FUNCTION(ncclResult_t, DevCommDestroy, (ncclComm_t comm, ncclDevComm_t const *devComm))
__NCCL_FUNCTION(ncclResult_t, GetPeerDevicePointer,
                (ncclWindow_t window, size_t offset, int peer, void **outPtr))
__NCCL_FUNCTION(ncclResult_t, GetLsaMultimemDevicePointer,
                (ncclWindow_t window, size_t offset, void **outPtr))
