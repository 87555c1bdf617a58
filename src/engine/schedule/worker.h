// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs all blocks of a launch on the worker pool, whichever engine's they are.
//
// Blocks are handed out in ascending order, in chunks that take long enough to be worth the handing
// out. The calling thread works too; it calls others only when there is enough for them to do. As a
// rule a worker runs one block at a time, from start to end; when a block cannot go on without
// another one, further blocks are started beside it, up to what the GPU would hold.
#pragma once

#include "engine/schedule/resident_block.h"

#include <atomic>
#include <optional>

namespace heddle::engine {

/// What earlier launches of a kernel tell about the next one.
struct KernelHistory {
  std::atomic<uint64_t> block_nanoseconds{unknown};
  std::atomic<bool> waits{false}; // blocks have waited for each other
  static constexpr uint64_t unknown = UINT64_MAX;
};

std::optional<Fault> runGrid(const Launch &launch, const KernelCode &code, KernelHistory &history,
                             const Dim3 &cluster = {});

/// Runs one block of the launch once more, without its output, to see how it fails. Gives up where
/// the block would wait for another one. Of a launch with clusters, `index` is that of a cluster.
std::optional<Fault> replayBlock(const Launch &launch, const KernelCode &code, uint64_t index,
                                 const Dim3 &cluster = {});

} // namespace heddle::engine
