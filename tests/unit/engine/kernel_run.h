// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a kernel that is a plain C++ function: what compiled device code does, written by hand.
//
// The function is given a ThreadContext and calls the engine through its runtime table, just as
// generated code would; so the scheduler can be tested without a compiler.
#pragma once

#include "engine/abi.h"
#include "engine/launch.h"
#include "engine/schedule/worker.h"

#include <optional>
#include <vector>

namespace heddle::engine {

struct KernelRun {
  Dim3 grid, block;
  bool cooperative = false;
  uint32_t static_shared_bytes = 0, dynamic_shared_bytes = 0;
  uint32_t multiprocessors = 4, blocks_per_multiprocessor = 4;
  KernelHistory *history = nullptr; // of earlier launches; null: this is the first
  uint32_t fused_blocks = 1;        // of SIMD kernels: they divide grid.x
  unsigned lane_axis = 0;           // grid and block are turned already
  bool padded_rows = false;         // of SIMD kernels
  bool one_worker = false;          // blocks strictly one after another, for tests of order
};

/// Runs `entry`, which sees `parameters`.
std::optional<Fault> runKernel(const KernelRun &run, KernelEntry entry, const void *parameters);

/// Runs one block of it once more (replayBlock).
std::optional<Fault> replayKernel(const KernelRun &run, KernelEntry entry, const void *parameters,
                                  uint64_t block);

/// What kernels printed in the last run.
const std::vector<std::string> &printed();

// ---- For kernels -------------------------------------------------------------------------------

inline uint32_t blockOf(const ThreadContext *thread) { return thread->block->block_index[0]; }
inline uint32_t laneOf(const ThreadContext *thread) { return thread->linear_index % 32; }
inline void syncThreads(ThreadContext *thread) {
  thread->runtime->barrier(thread, 0, 0, BarrierReduction::None, 0);
}
/// What a loop that waits does at each round (guards.h, giveTurns).
inline void spin(ThreadContext *thread) {
  if (--thread->spin_budget < 0)
    thread->runtime->yield(thread);
}

} // namespace heddle::engine
