// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/schedule/cluster.h"

#include <algorithm>

namespace heddle::engine {

Cluster::Cluster(Grid &grid) : ResidentBlock(grid), members_(grid.cluster_blocks) {
  const Dim3 &dim = grid.cluster;
  const uint32_t count = grid.cluster_blocks;
  for (Member &member : members_) {
    member.block = grid.code.makeBlock(grid);
    member.arrivals.resize(grid.launch.block.count());
  }
  for (uint32_t rank = 0; rank < count; ++rank) {
    Member &member = members_[rank];
    ClusterContext &view = member.view;
    view = {{dim.x, dim.y, dim.z},
            {rank % dim.x, rank / dim.x % dim.y, rank / dim.x / dim.y},
            rank,
            count,
            {},
            &arrived_,
            &generation_,
            member.arrivals.data()};
    for (uint32_t other = 0; other < count; ++other)
      view.shared[other] = members_[other].block->shared;
    member.block->cluster = &view;
  }
}

void Cluster::start(uint64_t index) {
  arrived_ = generation_ = 0;
  running_ = 0;
  for (size_t rank = 0; rank < members_.size(); ++rank) {
    members_[rank].ended = false;
    members_[rank].block->start(index * members_.size() + rank);
  }
  std::copy_n(running().block_index, 3, block_index);
}

uint32_t Cluster::liveThreads() const {
  uint32_t live = 0;
  for (const Member &member : members_)
    live += member.ended ? 0 : member.block->liveThreads();
  return live;
}

bool Cluster::openBarrier() {
  const uint32_t live = liveThreads();
  if (live == 0 || arrived_ < live)
    return false;
  arrived_ = 0;
  ++generation_;
  return true;
}

BlockState Cluster::step() {
  bool progressed = false, partly = false, spinning = false, at_grid = false;
  for (running_ = 0; running_ < members_.size(); ++running_) {
    Member &member = members_[running_];
    if (member.ended)
      continue;
    std::copy_n(member.block->block_index, 3, block_index);
    switch (member.block->step()) {
    case BlockState::Ended:
      member.ended = true;
      progressed = true;
      break;
    case BlockState::Progressed:
      progressed = true;
      break;
    case BlockState::PartlySpinning:
      partly = true;
      break;
    case BlockState::Spinning:
      spinning = true;
      break;
    case BlockState::AtGridBarrier:
      at_grid = true;
      break;
    case BlockState::Deadlocked:
      return BlockState::Deadlocked;
    }
  }
  running_ = 0;
  if (std::all_of(members_.begin(), members_.end(), [](const Member &m) { return m.ended; }))
    return BlockState::Ended;
  if (openBarrier() || progressed)
    return BlockState::Progressed;
  return partly     ? BlockState::PartlySpinning
         : spinning ? BlockState::Spinning
         : at_grid  ? BlockState::AtGridBarrier
                    : BlockState::Deadlocked;
}

} // namespace heddle::engine
