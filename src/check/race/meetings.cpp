// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/meetings.h"

#include "engine/abi.h"
#include "engine/warp.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace heddle::check {
namespace {

using engine::forEachLane;
using engine::WarpOperation;
using engine::observe::Access;
using engine::observe::AccessKind;
using engine::observe::Frame;
using engine::observe::Site;

constexpr uint32_t barriers = 16, modes = 16; // AccessKind::WarpArrive

WarpOperation operationOf(const Site &site) { return WarpOperation(site.order / modes); }

bool isSync(const Site &site) { return operationOf(site) == WarpOperation::Sync; }

uint32_t maskOf(const Lane &lane, uint32_t number) { return uint32_t(lane.first) | 1u << number; }

// Copies of a place that the compiler has made are one place.
bool samePlace(const Frame *a, const Frame *b) {
  for (; a && b && a != b; a = a->caller, b = b->caller)
    if (a->line != b->line || a->column != b->column || std::strcmp(a->file, b->file) != 0)
      return false;
  return a == b;
}

// All 32 lanes come, and each names all. So whatever a shuffle's source is, it takes part.
bool allComeToOperation(const Access &at) {
  uint64_t named = ~0u;
  if (at.site.kind != AccessKind::WarpArrive || at.lanes != ~0u)
    return false;
  for (uint32_t lane = 0; lane < 32; ++lane)
    named &= at.addresses[lane];
  return named == ~0u;
}

// All live lanes of the warp come to a plain barrier.
bool comesWhole(const Warp &warp, const Access &at) {
  if (at.site.kind != AccessKind::BlockArrive || at.lanes != warp.live())
    return false;
  uint64_t operands = 0; // a plain barrier has none (isPlain)
  forEachLane(at.lanes, [&](uint32_t lane) { operands |= at.addresses[lane] | at.bytes[lane]; });
  return operands == 0;
}

// __syncthreads() and its kin, not a numbered barrier.
bool isPlain(const Lane &lane) { return lane.first == 0 && lane.second == 0; }

} // namespace

void Meetings::come(const Access &at) {
  BlockRun &block = runs_.runOf(at.block);
  const uint32_t warp = at.first_thread / 32;
  if (comesWhole(block.warps[warp], at)) {
    block.warps[warp].at_barrier = &at.site;
    return;
  }
  if (allComeToOperation(at)) {
    block.warps[warp].at_operation = &at.site;
    return;
  }
  block.warps[warp].said = true;
  forEachLane(at.lanes, [&](uint32_t number) {
    Lane &lane = block.warps[warp].lanes[number];
    lane.waiting = &at.site;
    lane.first = at.addresses[number];
    lane.second = at.bytes[number];
    if (at.site.kind == AccessKind::WarpArrive && !(uint32_t(lane.first) >> number & 1))
      add({Kind::MaskLacksCaller,
           &at.site,
           nullptr,
           runs_.place(Who{block, warp, number}),
           {},
           lane.first,
           number});
  });
}

void Meetings::goOn(const Access &at) {
  BlockRun &block = runs_.runOf(at.block);
  const uint32_t warp = at.first_thread / 32;
  if (at.site.kind == AccessKind::BlockDepart && block.warps[warp].at_barrier) {
    if (openWhole(block))
      return;
    sayEach(block);
  }
  if (at.site.kind == AccessKind::WarpDepart)
    if (const Site *site = std::exchange(block.warps[warp].at_operation, nullptr)) {
      if (isSync(*site)) {
        races_.settle(block);
        runs_.clocks.joinLanes(block, warp, ~0u);
      }
      return;
    }
  forEachLane(at.lanes, [&](uint32_t number) {
    const Lane &lane = block.warps[warp].lanes[number];
    if (!lane.waiting)
      return; // another one of those that met has been here before
    if (at.site.kind == AccessKind::BlockDepart)
      openBarrier(block, lane);
    else if (at.site.kind == AccessKind::GridDepart)
      openGrid(block);
    else
      openWarp(block, warp, number);
  });
}

void Meetings::signal(const Access &at) {
  BlockRun &block = runs_.runOf(at.block);
  races_.settle(block);
  block.signals.resize(barriers);
  forEachLane(at.lanes, [&](uint32_t lane) {
    const Who who{block, at.first_thread / 32, lane};
    block.signals[at.addresses[lane] % barriers].emplace_back(runs_.clocks.release(who), &at.site);
  });
}

void Meetings::end(const Access &at) {
  BlockRun &block = runs_.runOf(at.block);
  Warp &warp = block.warps[at.first_thread / 32];
  warp.ended |= at.lanes;
  if (at.lanes == ~0u)
    warp.exits.fill(&at.site);
  else
    forEachLane(at.lanes, [&](uint32_t lane) { warp.exits[lane] = &at.site; });
}

// The usual case: whole warps at one plain barrier, which no thread has ended without.
bool Meetings::openWhole(BlockRun &block) {
  const Site *site = block.warps.front().at_barrier;
  for (const Warp &warp : block.warps)
    if (!site || warp.at_barrier != site || warp.ended)
      return false;
  if (!block.signals.empty() && !block.signals.front().empty())
    return false;
  for (Warp &warp : block.warps)
    warp.at_barrier = nullptr;
  runs_.clocks.joinBlock(block);
  return true;
}

// What a warp says of its lanes, each lane says.
void Meetings::sayEach(BlockRun &block) {
  for (Warp &warp : block.warps) {
    const Site *site = std::exchange(warp.at_barrier, nullptr);
    warp.said |= site != nullptr;
    if (site)
      forEachLane(warp.live(), [&](uint32_t number) {
        Lane &lane = warp.lanes[number];
        lane.waiting = site;
        lane.first = lane.second = 0;
      });
  }
}

void Meetings::openBarrier(BlockRun &block, const Lane &first) {
  sayEach(block);
  const uint64_t id = first.first % barriers;
  const bool plain = isPlain(first);
  std::vector<uint32_t> threads;
  uint32_t live = 0;
  for (uint32_t w = 0; w < block.warps.size(); ++w) {
    live += uint32_t(std::popcount(block.warps[w].live()));
    forEachLane(block.warps[w].present, [&](uint32_t number) {
      const Lane &lane = block.warps[w].lanes[number];
      if (lane.waiting && lane.waiting->kind == AccessKind::BlockArrive &&
          lane.first % barriers == id)
        threads.push_back(32 * w + number);
    });
  }
  if (plain) {
    compareSites(block, threads);
    checkEnded(block, threads.front());
  }
  for (const uint32_t thread : threads)
    block.warps[thread / 32].lanes[thread % 32].waiting = nullptr;
  std::vector<View> signals;
  if (block.signals.size() > id) {
    for (auto &[view, site] : block.signals[id])
      signals.push_back(view);
    block.signals[id].clear();
  }
  if (threads.size() == live && signals.empty())
    return runs_.clocks.joinBlock(block);
  races_.settle(block);
  runs_.clocks.joinThreads(block, threads, signals);
}

// CUDA guide, "Synchronization Functions": __syncthreads() in a branch only if all threads of the
// block take it.
void Meetings::compareSites(BlockRun &block, const std::vector<uint32_t> &threads) {
  const auto laneOf = [&](uint32_t thread) -> const Lane & {
    return block.warps[thread / 32].lanes[thread % 32];
  };
  const Site *first = laneOf(threads.front()).waiting;
  for (const uint32_t thread : threads) {
    const Site *site = laneOf(thread).waiting;
    if (site == first || samePlace(site->frame, first->frame))
      continue;
    add({Kind::DifferentBarriers, first, site, runs_.place(block.number, threads.front()),
         runs_.place(block.number, thread)});
    return;
  }
}

// The same rule: a thread that has ended does not come. (GPUs since Volta go on without it.)
void Meetings::checkEnded(BlockRun &block, uint32_t waiting) {
  for (uint32_t w = 0; w < block.warps.size(); ++w) {
    const Warp &warp = block.warps[w];
    if (!warp.ended)
      continue;
    const auto number = uint32_t(std::countr_zero(warp.ended));
    add({Kind::BarrierNotReached, block.warps[waiting / 32].lanes[waiting % 32].waiting,
         warp.exits[number], runs_.place(block.number, waiting),
         runs_.place(block.number, 32 * w + number)});
    return;
  }
}

void Meetings::openWarp(BlockRun &block, uint32_t warp, uint32_t lane) {
  Warp &w = block.warps[warp];
  const Lane &first = w.lanes[lane];
  const Site &site = *first.waiting;
  uint32_t lanes = 0;
  forEachLane(w.present, [&](uint32_t number) {
    const Lane &other = w.lanes[number];
    if (other.waiting && other.waiting->kind == AccessKind::WarpArrive &&
        operationOf(*other.waiting) == operationOf(site) &&
        maskOf(other, number) == maskOf(first, lane))
      lanes |= 1u << number;
  });
  if (operationOf(site) == WarpOperation::Shuffle)
    checkShuffle(block, warp, lanes);
  forEachLane(lanes, [&](uint32_t number) { w.lanes[number].waiting = nullptr; });
  // CUDA guide, "Warp Shuffle Functions", "Warp Vote Functions": they order no memory accesses.
  if (!isSync(site))
    return;
  races_.settle(block);
  runs_.clocks.joinLanes(block, warp, lanes);
}

// PTX ISA, "shfl.sync": the value of a lane that does not take part is unpredictable.
void Meetings::checkShuffle(BlockRun &block, uint32_t warp, uint32_t lanes) {
  Warp &w = block.warps[warp];
  forEachLane(lanes, [&](uint32_t self) {
    const Lane &lane = w.lanes[self];
    const uint32_t clamp = uint32_t(lane.second >> 32);
    const uint32_t last = clamp & 31, segment = clamp >> 8 & 31, operand = lane.second & 31;
    const uint32_t first = self & segment, limit = first | (last & ~segment);
    uint32_t source = self;
    switch (engine::ShuffleMode(lane.waiting->order % modes)) {
    case engine::ShuffleMode::Up:
      source = int32_t(self - operand) >= int32_t(limit) ? self - operand : self;
      break;
    case engine::ShuffleMode::Down:
      source = self + operand <= limit ? self + operand : self;
      break;
    case engine::ShuffleMode::Xor:
      source = (self ^ operand) <= limit ? self ^ operand : self;
      break;
    case engine::ShuffleMode::Index:
      source = (first | (operand & ~segment)) <= limit ? first | (operand & ~segment) : self;
      break;
    }
    if (!(lanes >> (source & 31) & 1))
      add({Kind::InactiveSource,
           lane.waiting,
           nullptr,
           runs_.place(Who{block, warp, self}),
           {},
           lane.first,
           source});
  });
}

void Meetings::openGrid(BlockRun &block) {
  const std::vector<BlockRun *> blocks = runs_.blocksOf(block.launch);
  uint32_t generation = 0;
  for (BlockRun *other : blocks) {
    for (Warp &warp : other->warps)
      for (Lane &lane : warp.lanes)
        if (lane.waiting && lane.waiting->kind == AccessKind::GridArrive)
          lane.waiting = nullptr;
    generation = std::max(generation, other->grid_generation + 1);
  }
  for (BlockRun *other : blocks) {
    other->grid_generation = generation;
    runs_.clocks.joinBlock(*other);
  }
  if (runs_.launchesMayOverlap())
    Clocks::joinGrid(blocks);
  runs_.newEpoch(block.launch);
}

void Meetings::stuck(const engine::Launch &launch) {
  for (BlockRun *block : runs_.blocksOf(runs_.numberOf(launch)))
    stuck(*block);
}

// Some wait, and what they wait for never comes.
void Meetings::stuck(BlockRun &block) {
  sayEach(block);
  const size_t before = misuses_.size();
  const Lane *first = nullptr;
  uint32_t first_thread = 0;
  for (uint32_t thread = 0; thread < 32 * block.warps.size(); ++thread) {
    const Lane &lane = block.warps[thread / 32].lanes[thread % 32];
    if (!lane.waiting)
      continue;
    if (!first && lane.waiting->kind != AccessKind::WarpArrive) {
      first = &lane;
      first_thread = thread;
    }
    if (lane.waiting->kind == AccessKind::WarpArrive) {
      const Warp &warp = block.warps[thread / 32];
      uint32_t missing = 0;
      forEachLane(uint32_t(lane.first) & warp.present, [&](uint32_t number) {
        const Lane &other = warp.lanes[number];
        const bool here = other.waiting && other.waiting->kind == AccessKind::WarpArrive &&
                          operationOf(*other.waiting) == operationOf(*lane.waiting) &&
                          maskOf(other, number) == maskOf(lane, thread % 32);
        missing |= uint32_t(!(warp.ended >> number & 1) && !here) << number;
      });
      if (!missing)
        continue;
      const uint32_t number = uint32_t(std::countr_zero(missing));
      add({Kind::MaskNamesAbsent, lane.waiting, warp.lanes[number].waiting,
           runs_.place(block.number, thread), runs_.place(block.number, thread / 32 * 32 + number),
           lane.first, number});
    } else if (lane.waiting->kind != first->waiting->kind ||
               !samePlace(lane.waiting->frame, first->waiting->frame)) {
      add({Kind::DifferentBarriers, first->waiting, lane.waiting,
           runs_.place(block.number, first_thread), runs_.place(block.number, thread)});
    }
  }
  if (first && misuses_.size() == before)
    add({Kind::BarrierNotReached,
         first->waiting,
         nullptr,
         runs_.place(block.number, first_thread),
         {}});
}

void Meetings::add(Misuse misuse) {
  Misuse &known = misuses_[{misuse.kind, misuse.site, misuse.other}];
  if (known.site) {
    known.count += misuse.count;
    return;
  }
  known = std::move(misuse);
}

std::vector<const Misuse *> Meetings::misuses() const {
  std::vector<const Misuse *> all;
  for (const auto &[key, misuse] : misuses_)
    all.push_back(&misuse);
  return all;
}

} // namespace heddle::check
