// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lanes of a block wait for, and what lets them go on: barriers, warp operations, the grid.
#include "engine/schedule/services.h"
#include "engine/simd/block.h"
#include "engine/warp.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace heddle::engine::simd {
namespace {

[[noreturn]] void raiseNotAWarp() {
  RawFault fault;
  fault.kind = FaultKind::Trap;
  fault.detail =
      "internal error: SIMD code has come to a warp operation with gangs that are no warps";
  raiseFault(fault);
}

} // namespace

// Compiled code writes the values it needs later into the record; unused fields must compare equal.
const GroupRecord &Block::keep(Gang &gang, GroupRecord &written) {
  const GroupRecord &kept = gang.keep(written);
  std::memset(&written, 0, info_.record_bytes);
  return kept;
}

// Records the result of the gang's code: `lanes` have run, and each of them waits or has ended.
void Block::settle(Gang &gang, uint32_t lanes) {
  uint32_t waiting = 0;
  for (char *at = written_.get(); at != reinterpret_cast<char *>(gang.suspended);
       at += info_.record_bytes) {
    const GroupRecord &record = keep(gang, *reinterpret_cast<GroupRecord *>(at));
    waiting |= record.lanes;
    arrive(gang, record);
  }
  if (const uint32_t ended = lanes & ~waiting)
    lanesEnded(gang, ended);
}

// A mask has 32 bits. In wider gangs lanes wait together, and each bit stands for several lanes.
uint32_t Block::threadsIn(uint32_t lanes) const {
  return uint32_t(std::popcount(lanes)) * std::max(1u, info_.gang_lanes / 32);
}

void Block::arrive(Gang &gang, const GroupRecord &record) {
  const uint32_t lanes = record.lanes, count = threadsIn(lanes);
  switch (record.kind) {
  case Suspension::Barrier: {
    const uint32_t id = record.operands[0] % barrier_count;
    Barrier &barrier = barriers_[id];
    barriers_in_use_ |= 1u << id;
    barrier.arrived += count;
    barrier.waiting += count;
    barrier.expected = record.operands[1];
    barrier.reduction = BarrierReduction(record.operands[2]);
    if (barrier.reduction != BarrierReduction::None)
      forEachLane(lanes,
                  [&](uint32_t lane) { barrier.true_count += gang.requests[lane].value != 0; });
    gang.at_barrier |= lanes;
    completeBarrier(id);
    break;
  }
  case Suspension::Collective:
    if (info_.gang_lanes != warp_size)
      raiseNotAWarp();
    forEachLane(lanes, [&](uint32_t lane) {
      WarpRequest &request = gang.requests[lane];
      request.operation = WarpOperation(record.operands[0]);
      request.mode = record.operands[1];
      request.mask |= 1u << lane;
    });
    gang.at_collective |= lanes;
    completeCollectives(gang);
    break;
  case Suspension::Yield:
    has_yielded = true;
    gang.spinning |= lanes;
    break;
  case Suspension::GridBarrier:
    if (!current_grid->launch.cooperative)
      services::raiseNotCooperative(&gang, 0);
    gang.at_grid |= lanes;
    at_grid_ += count;
    break;
  }
}

void Block::lanesEnded(Gang &gang, uint32_t lanes) {
  gang.ended |= lanes;
  live_ -= threadsIn(lanes);
  if (gang.at_collective)
    completeCollectives(gang);
  forEachLane(barriers_in_use_, [&](uint32_t id) {
    if (barriers_[id].waiting)
      completeBarrier(id);
  });
}

void Block::completeCollectives(Gang &gang) {
  const uint32_t met = evaluateMet(gang.requests, gang.at_collective, gang.live());
  gang.at_collective &= ~met;
  gang.ready |= met;
}

void Block::arriveAtBarrier(uint32_t id, uint32_t count) {
  id %= barrier_count;
  barriers_in_use_ |= 1u << id;
  ++barriers_[id].arrived;
  barriers_[id].expected = count;
  completeBarrier(id);
}

void Block::completeBarrier(uint32_t id) {
  Barrier &barrier = barriers_[id];
  if (!barrier.complete(live_))
    return;
  all_released_ = barrier.waiting == live_;
  const uint32_t result = barrier.result();
  for (Gang &gang : gangs_) {
    if (!gang.at_barrier)
      continue;
    uint32_t released = 0;
    forEachLane(gang.used, [&](uint32_t index) {
      const GroupRecord &record = gang.slot(index);
      if (record.kind == Suspension::Barrier && record.operands[0] % barrier_count == id)
        released |= record.lanes & gang.at_barrier;
    });
    if (barrier.reduction != BarrierReduction::None)
      forEachLane(released, [&](uint32_t lane) { gang.requests[lane].result.value = result; });
    gang.at_barrier &= ~released;
    gang.ready |= released;
  }
  barrier = {};
  barriers_in_use_ &= ~(1u << id);
}

void Block::openGridBarrier() {
  at_grid_ = 0;
  all_released_ = true;
  for (Gang &gang : gangs_) {
    gang.ready |= gang.at_grid;
    gang.at_grid = 0;
  }
}

} // namespace heddle::engine::simd
