// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of a block and memory fences (CUDA C++ Programming Guide, "Synchronization Functions",
// "Memory Fence Functions"). __syncthreads() itself is a compiler built-in.
#pragma once

#include <__heddle/define.h>

__HEDDLE_DEVICE__ int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
__HEDDLE_DEVICE__ int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
__HEDDLE_DEVICE__ int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }

__HEDDLE_DEVICE__ void __barrier_sync(unsigned id) { __nvvm_barrier_sync(id); }
__HEDDLE_DEVICE__ void __barrier_sync_count(unsigned id, unsigned count) {
  __nvvm_barrier_sync_cnt(id, count);
}

__HEDDLE_DEVICE__ void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }

__HEDDLE_DEVICE__ void __threadfence_block() { __nvvm_membar_cta(); }
__HEDDLE_DEVICE__ void __threadfence() { __nvvm_membar_gl(); }
__HEDDLE_DEVICE__ void __threadfence_system() { __nvvm_membar_sys(); }
