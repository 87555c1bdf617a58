// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL's communicators, as functions.h lists the operations.
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
// More ranks (NCCL 2.29): one of those that are there makes the ID and gives it to the new ones,
// who have no communicator yet.
__NCCL_FUNCTION(ncclResult_t, CommGetUniqueId, (ncclComm_t comm, ncclUniqueId *uniqueId))
__NCCL_FUNCTION(ncclResult_t, CommGrow,
                (ncclComm_t comm, int nRanks, const ncclUniqueId *uniqueId, int rank,
                 ncclComm_t *newcomm, ncclConfig_t *config))
// Memory between operations (NCCL 2.29)
__NCCL_FUNCTION(ncclResult_t, CommSuspend, (ncclComm_t comm, int flags))
__NCCL_FUNCTION(ncclResult_t, CommResume, (ncclComm_t comm))
__NCCL_FUNCTION(ncclResult_t, CommMemStats,
                (ncclComm_t comm, ncclCommMemStat_t stat, uint64_t *value))
// Ends what is under way (NCCL 2.29)
__NCCL_FUNCTION(ncclResult_t, CommRevoke, (ncclComm_t comm, int revokeFlags))

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
