// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the engine provides to kernels beyond LLVM's nvvm intrinsics.
//
// Where LLVM has an intrinsic (llvm.nvvm.barrier0, llvm.nvvm.shfl.sync.* ...) the device headers
// use it. These are the operations for which it has none; the engine implements each by name.
#pragma once

extern "C" {

/// Waits until every thread of the grid has arrived. Cooperative launches only; in any other launch
/// the kernel ends with an error, as a GPU's would.
__attribute__((device, convergent)) void __heddle_grid_sync(void);

/// 1 if the running grid was launched cooperatively, else 0.
__attribute__((device, const)) int __heddle_is_cooperative(void);

/// Bytes of dynamic shared memory given to this launch (PTX %dynamic_smem_size).
__attribute__((device, const)) unsigned __heddle_dynamic_smem_size(void);

/// Bytes of shared memory, static and dynamic, of a block of this launch (PTX %total_smem_size).
__attribute__((device, const)) unsigned __heddle_total_smem_size(void);

/// Thread block clusters (devicelib/cluster.cu): their size in blocks, this block's place and rank,
/// the same place in another block's shared memory, and whose shared memory an address lies in.
__attribute__((device)) unsigned __heddle_cluster_dim(unsigned axis);
__attribute__((device)) unsigned __heddle_cluster_place(unsigned axis);
__attribute__((device)) unsigned __heddle_cluster_rank();
__attribute__((device)) unsigned __heddle_cluster_blocks();
__attribute__((device)) char *__heddle_map_shared(char *place, unsigned rank);
__attribute__((device)) unsigned __heddle_shared_rank(const char *address);
/// The cluster's barrier, at which a thread arrives and later waits.
__attribute__((device)) void __heddle_cluster_arrive();
__attribute__((device)) void __heddle_cluster_wait();

} // extern "C"
