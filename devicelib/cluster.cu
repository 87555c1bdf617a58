// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread block clusters (PTX ISA, "barrier.cluster", "mapa", "getctarank", "%cluster_ctaid" and its
// kin). A block that was launched without a cluster is one by itself.
#include "common.h"

using namespace heddle;

namespace {

// The engine's ClusterContext (src/engine/abi.h).
struct Cluster {
  u32 dim[3], place[3], rank, blocks;
  char *shared[16];
  u32 *arrived, *generation, *arrival;
};

} // namespace

extern "C" {
__device__ const Cluster *__heddle_cluster();
__device__ void __heddle_turn_soon();
__device__ u32 __heddle_total_smem_size();
}

#ifdef __CUDA__
HEDDLE_INLINE u32 threadInBlock() {
  return __nvvm_read_ptx_sreg_tid_x() +
         __nvvm_read_ptx_sreg_ntid_x() *
             (__nvvm_read_ptx_sreg_tid_y() +
              __nvvm_read_ptx_sreg_ntid_y() * __nvvm_read_ptx_sreg_tid_z());
}

HEDDLE_API u32 __heddle_cluster_dim(u32 axis) {
  const Cluster *cluster = __heddle_cluster();
  return cluster ? cluster->dim[axis] : 1;
}
HEDDLE_API u32 __heddle_cluster_place(u32 axis) {
  const Cluster *cluster = __heddle_cluster();
  return cluster ? cluster->place[axis] : 0;
}
HEDDLE_API u32 __heddle_cluster_rank() {
  const Cluster *cluster = __heddle_cluster();
  return cluster ? cluster->rank : 0;
}
HEDDLE_API u32 __heddle_cluster_blocks() {
  const Cluster *cluster = __heddle_cluster();
  return cluster ? cluster->blocks : 1;
}

/// The same place in the shared memory of another block.
HEDDLE_API char *__heddle_map_shared(char *place, u32 rank) {
  const Cluster *cluster = __heddle_cluster();
  return cluster ? cluster->shared[rank & 15] + (place - cluster->shared[cluster->rank]) : place;
}

/// Which block's shared memory the address lies in.
HEDDLE_API u32 __heddle_shared_rank(const char *address) {
  const Cluster *cluster = __heddle_cluster();
  if (!cluster)
    return 0;
  const u64 bytes = __heddle_total_smem_size();
  u32 rank = cluster->rank;
  for (u32 i = 0; i < cluster->blocks; ++i)
    rank = u64(address - cluster->shared[i]) < bytes ? i : rank;
  return rank;
}

HEDDLE_API void __heddle_cluster_arrive() {
  const Cluster *cluster = __heddle_cluster();
  if (!cluster) // at the block's barrier who waits has arrived
    return;
  cluster->arrival[threadInBlock()] = __atomic_load_n(cluster->generation, __ATOMIC_ACQUIRE);
  __atomic_fetch_add(cluster->arrived, 1u, __ATOMIC_ACQ_REL);
}

// The engine opens the barrier when all threads of the cluster that have not ended have come.
HEDDLE_API void __heddle_cluster_wait() {
  const Cluster *cluster = __heddle_cluster();
  if (!cluster) {
    __syncthreads();
    return;
  }
  const u32 arrival = cluster->arrival[threadInBlock()];
  while (__atomic_load_n(cluster->generation, __ATOMIC_ACQUIRE) == arrival)
    __heddle_turn_soon();
}

extern "C" __device__ u32 __heddle_multiprocessors();

/// The multiprocessor that a GPU might run the block on: it hands blocks out in turn.
HEDDLE_API u32 __heddle_multiprocessor() {
  const u32 block = __nvvm_read_ptx_sreg_ctaid_x() +
                    __nvvm_read_ptx_sreg_nctaid_x() *
                        (__nvvm_read_ptx_sreg_ctaid_y() +
                         __nvvm_read_ptx_sreg_nctaid_y() * __nvvm_read_ptx_sreg_ctaid_z());
  return block % __heddle_multiprocessors();
}

extern "C" __device__ void __heddle_bulk_copy(void *to, const void *from, u32 bytes, u64 *barrier);

/// The same copy to every block of `blocks`, a bit for each, and each one's barrier is told.
HEDDLE_API void __heddle_bulk_copy_to_many(char *to, const void *from, u32 bytes, char *barrier,
                                           u32 blocks) {
  for (u32 rank = 0; rank < 16; ++rank)
    if (blocks >> rank & 1)
      __heddle_bulk_copy(__heddle_map_shared(to, rank), from, bytes,
                         reinterpret_cast<u64 *>(__heddle_map_shared(barrier, rank)));
}
#endif
