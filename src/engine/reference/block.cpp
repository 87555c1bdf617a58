// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/reference/block.h"

#include "engine/reference/builtins.h"
#include "engine/reference/kernel.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle::engine::reference {
namespace {

constexpr uint32_t convergence_patience = 16;
// Iterations of a waiting loop per turn; fewer would cost less than the fiber switch.
constexpr int64_t fewest_rounds = 8;

// Values that a fiber passes to the scheduler when it yields.
char gave_way, ran_out_of_threads, ended_early;

} // namespace

FiberPool &Block::fibersOfThisWorker() {
  // Kept between launches: the stacks are mapped and warm.
  static thread_local FiberPool fibers(&Block::fiberMain);
  return fibers;
}

Block::Block(Grid &grid) : ResidentBlock(grid), fibers_(fibersOfThisWorker()) {
  const uint32_t count = uint32_t(grid.launch.block.count());
  threads_.resize(count);
  warps_.resize((count + warp_size - 1) / warp_size);
  const Dim3 &shape = grid.launch.block;
  for (uint32_t i = 0; i < count; ++i) {
    Thread &thread = threads_[i];
    thread.thread_index[0] = i % shape.x;
    thread.thread_index[1] = i / shape.x % shape.y;
    thread.thread_index[2] = i / shape.x / shape.y;
    thread.linear_index = i;
    thread.block = this;
    thread.runtime = &runtimeTable();
  }
  for (uint32_t w = 0; w < warps_.size(); ++w) {
    warps_[w].first_thread = w * warp_size;
    const uint32_t lanes = std::min(warp_size, count - w * warp_size);
    warps_[w].lanes = lanes == warp_size ? ~0u : (1u << lanes) - 1;
  }
  useCode();
}

bool Block::reuse(Grid &grid) {
  if (!fits(grid))
    return false;
  attach(grid);
  useCode();
  return true;
}

void Block::useCode() {
  code_ = &static_cast<const Kernel &>(current_grid->code).info;
  stack_bytes_ = kernelStackBytes(code_->stack_bytes, code_->recursive,
                                  current_grid->launch.device.stack_bytes);
}

void Block::start(uint64_t index) {
  place(index);
  for (Warp &warp : warps_) {
    warp.unstarted = warp.lanes;
    warp.ready = warp.spinning = warp.at_collective = warp.at_convergence = 0;
    warp.at_barrier = warp.at_grid = 0;
  }
  barriers_.fill({});
  live_ = uint32_t(threads_.size());
  at_grid_ = 0;
  all_go_on_ = false;
  current_ = &threads_[0];
}

// ---- On a fiber ----

void Block::fiberMain(void *argument) {
  for (;;) {
    auto *block = static_cast<Block *>(argument);
    block->runThreads(block->current_->fiber);
    argument = switchBack(&ran_out_of_threads);
  }
}

// Runs the current thread, then the warp's next unstarted ones, until one has to wait.
void Block::runThreads(Fiber *fiber) {
  for (;;) {
    Thread &thread = *current_;
    thread.spin_budget = thread.rounds = spin_quantum;
    thread.stack_limit = reinterpret_cast<uintptr_t>(fiber->stack) + stack_reserve;
    code_->entry(&thread, current_grid->launch.parameters);
    threadEnded(thread);
    Warp &warp = warpOf(thread);
    if (!warp.unstarted)
      return;
    const uint32_t lane = uint32_t(std::countr_zero(warp.unstarted));
    warp.unstarted &= ~(1u << lane);
    warp.running |= 1u << lane;
    current_ = &threads_[warp.first_thread + lane];
    current_->fiber = fiber;
  }
}

// Removes the thread from the running ones; the caller switches away after recording its wait.
void Block::beginWait(Thread &thread, uint32_t Warp::*where) {
  Warp &warp = warpOf(thread);
  const uint32_t bit = 1u << thread.linear_index % warp_size;
  warp.running &= ~bit;
  warp.*where |= bit;
}

void Block::endThread(Thread &thread) {
  threadEnded(thread);
  switchBack(&ended_early);
  __builtin_unreachable();
}

void Block::threadEnded(Thread &thread) {
  --live_;
  Warp &warp = warpOf(thread);
  warp.running &= ~(1u << thread.linear_index % warp_size);
  if (warp.at_collective)
    completeCollectives(warp);
  for (uint32_t id = 0; id < barrier_count; ++id)
    if (barriers_[id].waiting)
      completeBarrier(id);
}

uint32_t Block::waitAtBarrier(Thread &thread, uint32_t id, uint32_t count,
                              BarrierReduction reduction, bool predicate) {
  thread.barrier = id % barrier_count;
  Barrier &barrier = barriers_[thread.barrier];
  ++barrier.arrived;
  ++barrier.waiting;
  barrier.expected = count;
  barrier.reduction = reduction;
  barrier.true_count += predicate;
  beginWait(thread, &Warp::at_barrier);
  completeBarrier(thread.barrier);
  switchBack(&gave_way);
  return warpOf(thread).requests[thread.linear_index % warp_size].result.value;
}

void Block::arriveAtBarrier(uint32_t id, uint32_t count) {
  Barrier &barrier = barriers_[id % barrier_count];
  ++barrier.arrived;
  barrier.expected = count;
  completeBarrier(id % barrier_count);
}

void Block::completeBarrier(uint32_t id) {
  Barrier &barrier = barriers_[id];
  if (!barrier.complete(live_))
    return;
  const uint32_t result = barrier.result();
  for (Warp &warp : warps_) {
    uint32_t released = 0;
    forEachLane(warp.at_barrier, [&](uint32_t lane) {
      if (threads_[warp.first_thread + lane].barrier != id)
        return;
      released |= 1u << lane;
      warp.requests[lane].result.value = result;
    });
    warp.at_barrier &= ~released;
    warp.ready |= released;
  }
  all_go_on_ = barrier.waiting == live_;
  barrier = {};
}

ValueAndPredicate Block::waitForWarp(Thread &thread, const WarpRequest &request) {
  Warp &warp = warpOf(thread);
  const uint32_t lane = thread.linear_index % warp_size;
  warp.requests[lane] = request;
  warp.requests[lane].mask |= 1u << lane;
  beginWait(thread, &Warp::at_collective);
  completeCollectives(warp);
  switchBack(&gave_way);
  return warp.requests[lane].result;
}

void Block::completeCollectives(Warp &warp) {
  const uint32_t met = evaluateMet(warp.requests.data(), warp.at_collective, warp.live());
  warp.at_collective &= ~met;
  warp.ready |= met;
}

uint32_t Block::converge(Thread &thread, uint32_t site) {
  Warp &warp = warpOf(thread);
  const uint32_t lane = thread.linear_index % warp_size;
  thread.site = site;
  beginWait(thread, &Warp::at_convergence);
  switchBack(&gave_way);
  return warp.requests[lane].result.value;
}

void Block::waitForGrid(Thread &thread) {
  beginWait(thread, &Warp::at_grid);
  ++at_grid_;
  switchBack(&gave_way);
}

void Block::yield(Thread &thread) {
  thread.rounds = std::max(thread.rounds / 4, fewest_rounds);
  thread.spin_budget = thread.rounds;
  has_yielded = true;
  beginWait(thread, &Warp::spinning);
  switchBack(&gave_way);
}

// ---- On the scheduler's stack ----

void Block::resume(Warp &warp, uint32_t lane) {
  Thread &thread = threads_[warp.first_thread + lane];
  const uint32_t bit = 1u << lane;
  if (warp.unstarted & bit)
    thread.fiber = fibers_.acquire(stack_bytes_);
  warp.unstarted &= ~bit;
  warp.ready &= ~bit;
  warp.spinning &= ~bit;
  warp.running |= bit;
  current_ = &thread;
  Fiber *fiber = thread.fiber;
  const void *how = switchTo(*fiber, this);
  if (how == &gave_way)
    return;
  if (how == &ended_early)
    fibers_.restart(fiber);
  fibers_.release(fiber);
}

// A thread may start later threads of its warp on its own fiber, so test again before each.
void Block::resumeAll(Warp &warp, uint32_t lanes) {
  for (uint32_t rest = lanes; rest && !all_go_on_; rest &= rest - 1) {
    const uint32_t bit = rest & -rest;
    if ((warp.ready | warp.unstarted | warp.spinning) & bit)
      resume(warp, uint32_t(std::countr_zero(rest)));
  }
}

// Runs the warp until no lane can continue, or all that can have spun for a turn. Returns true if
// any lane did more than spin.
bool Block::runWarp(Warp &warp) {
  bool progressed = false;
  uint32_t turns = 0;
  uint32_t patience = convergence_patience, resolutions = 0;
  for (;;) {
    if (all_go_on_)
      return true;
    if (const uint32_t runnable = warp.ready | warp.unstarted) {
      resumeAll(warp, runnable);
      progressed = true;
      continue;
    }
    if (warp.at_convergence && (!warp.spinning || patience == 0)) {
      resolveConvergence(warp, ++resolutions % 64 == 0);
      patience = convergence_patience;
      progressed = true;
      continue;
    }
    if (!warp.spinning || turns > (warp.at_convergence ? 2 * convergence_patience : 0))
      return progressed;
    // Spinning lanes get a turn. Lanes that wait for convergence let them run, up to a limit.
    ++turns;
    const uint32_t before = warp.spinning;
    resumeAll(warp, before);
    progressed |= warp.spinning != before || warp.ready;
    if (warp.at_convergence)
      --patience;
    if (current_grid->cancelled.load(std::memory_order_relaxed))
      return true;
  }
}

// Among the lanes that wait at an __activemask or printf, those at the same place continue
// together. The earliest place in the program goes first, so that diverged lanes meet after the
// branch, as on a GPU. Sometimes the last one does, in case the others wait for its lanes in a
// loop.
void Block::resolveConvergence(Warp &warp, bool last_first) {
  uint32_t site = last_first ? 0 : ~0u;
  forEachLane(warp.at_convergence, [&](uint32_t lane) {
    const uint32_t other = threads_[warp.first_thread + lane].site;
    site = last_first ? std::max(site, other) : std::min(site, other);
  });
  uint32_t together = 0;
  forEachLane(warp.at_convergence, [&](uint32_t lane) {
    together |= uint32_t(threads_[warp.first_thread + lane].site == site) << lane;
  });
  forEachLane(together, [&](uint32_t lane) { warp.requests[lane].result.value = together; });
  warp.at_convergence &= ~together;
  warp.ready |= together;
}

bool Block::openGridBarrier() {
  if (!passGridBarrier())
    return false;
  at_grid_ = 0;
  for (Warp &warp : warps_) {
    warp.ready |= warp.at_grid;
    warp.at_grid = 0;
  }
  return true;
}

BlockState Block::step() {
  bool progressed = false, spinning = false;
  has_yielded = false;
  for (Warp &warp : warps_) {
    if (warp.ready | warp.unstarted | warp.spinning | warp.at_convergence)
      progressed |= runWarp(warp);
    spinning |= warp.spinning != 0;
    if (std::exchange(all_go_on_, false)) // in order, starting with the first warp
      return gotOn();
  }
  if (live_ == 0) {
    endAtGridBarrier();
    return BlockState::Ended;
  }
  if (progressed)
    return gotOn();
  if (spinning)
    return BlockState::Spinning;
  if (at_grid_ == live_)
    return openGridBarrier() ? BlockState::Progressed : BlockState::AtGridBarrier;
  return BlockState::Deadlocked;
}

const char *Block::deadlockReason() const {
  bool at_barrier = false, at_collective = false;
  for (const Warp &warp : warps_) {
    at_barrier |= warp.at_barrier != 0;
    at_collective |= warp.at_collective != 0;
  }
  return deadlockWords(at_barrier, at_collective, at_grid_ != 0);
}

Dim3 Block::currentThread() const {
  const uint32_t *index = current_->thread_index;
  return {index[0], index[1], index[2]};
}

} // namespace heddle::engine::reference
