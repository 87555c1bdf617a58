// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses to the shared memory of other blocks of a cluster, and the ends of these blocks.
//
// Such a block must still be there (CUDA guide, "Distributed Shared Memory"). It is, if one of its
// threads knows of the access before it ends, as behind cluster.sync(). Of each lane that accesses
// a block's memory, the last access is kept: who knows of that knows of those before.
#pragma once

#include "check/race/meetings.h"

#include <compare>
#include <map>
#include <unordered_map>

namespace heddle::engine {
struct ClusterContext;
}

namespace heddle::check {

/// The cluster of several blocks that the block is in; or null.
const engine::ClusterContext *clusterOf(const engine::BlockContext &block);

/// Not thread-safe.
class ClusterAccesses {
public:
  ClusterAccesses(Runs &runs, Meetings &meetings) : runs_(runs), meetings_(meetings) {}

  /// Behind Runs::blockBegin.
  void blockBegin(const engine::BlockContext &block);
  /// `addresses`: of these lanes.
  void access(const engine::observe::Access &access, uint32_t lanes, const uint64_t *addresses);
  /// Behind Meetings::end.
  void end(const engine::observe::Access &at);
  /// No launch runs.
  void forget() { targets_.clear(); }

private:
  struct LastAccess {
    SegmentId segment = 0;
    uint32_t lanes = 0;
    const engine::observe::Site *site = nullptr;
    /// How often the cluster's barrier had opened when the lanes ended.
    uint32_t ended = still_running;
    static constexpr uint32_t still_running = ~uint32_t(0);
  };
  struct Warp { // that accesses a block's memory
    uint32_t block = 0, warp = 0;
    auto operator<=>(const Warp &) const = default;
  };
  struct Target { // a block whose memory may be accessed
    std::map<Warp, std::vector<LastAccess>> accesses;
    OthersPointer known; // by its threads that have ended
    bool ended = false;
    const engine::observe::Site *exit = nullptr; // of the thread that ended last
    ThreadPlace last;
  };

  static void note(std::vector<LastAccess> &of_warp, const LastAccess &more);
  void endLanes(const engine::observe::Access &at, const BlockRun &block);
  void endBlock(Target &target, const BlockRun &block, uint32_t barriers);
  void add(const Target &target, const Warp &warp, const LastAccess &access, uint32_t lanes);

  Runs &runs_;
  Meetings &meetings_;
  std::unordered_map<const char *, Target> targets_; // by where the shared memory begins
};

} // namespace heddle::check
