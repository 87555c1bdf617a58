// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs all blocks of a launch on the worker pool, for any engine.
//
// Blocks are handed out in ascending order, in chunks that are long enough to amortise the cost.
// The calling thread works, too; it starts others only if there is enough work. A worker normally
// runs one block at a time to its end; when a block cannot continue without another one, further
// blocks are started beside it, up to what the GPU would hold.
#pragma once

#include "engine/schedule/resident_block.h"

#include <atomic>
#include <optional>

namespace heddle::engine {

/// What earlier launches of a kernel predict about the next one.
struct KernelHistory {
  std::atomic<uint64_t> block_nanoseconds{unknown};
  std::atomic<bool> waits{false}; // blocks have waited for each other
  static constexpr uint64_t unknown = UINT64_MAX;
};

std::optional<Fault> runGrid(const Launch &launch, const KernelCode &code, KernelHistory &history,
                             const Dim3 &cluster = {});

/// Reruns one block of the launch, without its output, to find how it fails. Stops where the block
/// would wait for another one. In a launch with clusters, `index` is that of a cluster.
std::optional<Fault> replayBlock(const Launch &launch, const KernelCode &code, uint64_t index,
                                 const Dim3 &cluster = {});

} // namespace heddle::engine
