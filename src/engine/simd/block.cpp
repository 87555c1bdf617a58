// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/block.h"

#include "engine/observe/counts.h"
#include "engine/simd/kernel.h"
#include "engine/simd/services.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <new>
#include <pthread.h>
#include <unistd.h>

namespace heddle::engine::simd {
namespace {

constexpr size_t frame_alignment = 64;
// Prefetch distance within a strip, where threads follow closely: 8 KB of floats, in all rows of a
// gang.
constexpr uint32_t threads_ahead = 2048;
// How many groups of one gang run before other gangs and blocks get a turn. Groups that meet in
// warp operations again and again may be waiting for one of those.
constexpr uint32_t rounds_at_a_time = 256;
// Kernels that need more stack than this get a separate one; others run on the worker's own.
constexpr uint64_t modest_stack_bytes = 64 << 10;

uint32_t laneMask(uint32_t count) { return count >= 32 ? ~0u : (1u << count) - 1; }

// An odd number of cache lines, so that the gangs' frames are spread over the cache sets.
size_t frameStride(uint32_t bytes) {
  return bytes ? (bytes + frame_alignment - 1) / frame_alignment * frame_alignment | frame_alignment
               : 0;
}

// Data beyond this size is not worth caching. (glibc 2.36 reports the sum of all of an AMD CPU's
// caches.) An Intel server's last-level cache is large but slow, and a virtual machine has a share
// of it: measured (bench/results) with a cache of 300 MB, launches that write 64 MB or more are 1.5
// to 4 times as fast with non-temporal stores, those that write 16 MB are slower.
uint64_t cacheBytes() {
  static const uint64_t bytes = [] {
    constexpr uint64_t usual = 32 << 20;
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
    uint64_t kilobytes = 0;
    const uint64_t last_cache = file >> kilobytes ? kilobytes << 10 : usual;
#ifdef __x86_64__
    if (__builtin_cpu_is("intel"))
      return std::min(last_cache, usual);
#endif
    return last_cache;
  }();
  return bytes;
}

// The whole stack of this OS thread.
struct OwnStack {
  char *lowest = nullptr;
  size_t bytes = 0;
  OwnStack() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
      return;
    void *address = nullptr;
    pthread_attr_getstack(&attributes, &address, &bytes);
    lowest = static_cast<char *>(address);
    pthread_attr_destroy(&attributes);
  }
};

} // namespace

// ---- Making a block ----

FiberPool &Block::fibersOfThisWorker() {
  static thread_local FiberPool fibers(&Block::fiberMain);
  return fibers;
}

Block::Memory Block::allocate(size_t bytes) {
  if (!bytes)
    return {};
  auto *memory = static_cast<char *>(std::aligned_alloc(
      frame_alignment, (bytes + frame_alignment - 1) / frame_alignment * frame_alignment));
  if (!memory)
    throw std::bad_alloc();
  return Memory(memory);
}

Block::Block(Grid &grid) : ResidentBlock(grid) {
  useCode();
  padded_rows_ = grid.code.padded_rows;
  const Dim3 shape = grid.wideBlock();
  const uint32_t lanes = info_.gang_lanes, end = uint32_t(shape.count());
  const uint32_t piece = padded_rows_ ? shape.x : end; // which gangs do not go beyond
  for (uint32_t begin = 0; begin < end; begin += piece)
    for (uint32_t first = begin; first < begin + piece; first += lanes)
      places_.push_back({first % shape.x, first / shape.x % shape.y, first / shape.x / shape.y,
                         laneMask(std::min(lanes, begin + piece - first)), first});
  makeGangs();
}

void Block::makeGangs() {
  const bool waits = info_.record_bytes != 0;
  const uint32_t lanes = info_.gang_lanes, all_lanes = lanes * uint32_t(places_.size());
  const Dim3 shape = current_grid->wideBlock();
  row_gangs = shape.x % lanes == 0 ? shape.x / lanes : 1;
  ahead_blocks =
      current_grid->fused_blocks * std::max(1u, threads_ahead / std::max(shape.x, lanes));
  gangs_.resize(waits || info_.sweep ? places_.size() : 1);
  requests_.resize(lanes * gangs_.size());
  frame_stride_ = frameStride(info_.frame_bytes);
  frames_ = allocate(frame_stride_ * gangs_.size());
  // The first records of all gangs are contiguous, then the second ones: usually there is only one
  // each.
  const size_t slot_stride = info_.record_bytes * gangs_.size();
  slots_ = allocate(slot_stride * lanes);
  written_ = allocate(size_t(info_.record_bytes) * lanes);
  if (written_)
    std::memset(written_.get(), 0, size_t(info_.record_bytes) * lanes);
  resumed_ = allocate(info_.record_bytes);
  if (info_.calls_lanes)
    lanes_.resize(all_lanes);
  for (uint32_t i = 0; i < lanes_.size(); ++i) {
    const uint32_t thread = places_[i / lanes].first + i % lanes;
    lanes_[i].thread_index[0] = thread % shape.x;
    lanes_[i].thread_index[1] = thread / shape.x % shape.y;
    lanes_[i].thread_index[2] = thread / shape.x / shape.y;
    lanes_[i].linear_index = thread;
    lanes_[i].block = this;
    lanes_[i].runtime = &runtimeTable();
    lanes_[i].spin_budget = spin_quantum;
    lanes_[i].stack_limit = 0;
  }
  for (uint32_t i = 0; i < gangs_.size(); ++i) {
    Gang &gang = gangs_[i];
    gang.thread_index[0] = places_[i].x;
    gang.thread_index[1] = places_[i].y;
    gang.thread_index[2] = places_[i].z;
    gang.linear_index = places_[i].first;
    gang.block = this;
    gang.runtime = &runtimeTable();
    gang.spin_budget = spin_quantum;
    gang.lanes = info_.calls_lanes ? &lanes_[size_t(i) * lanes] : nullptr;
    gang.ended = ~places_[i].lanes;
    gang.requests = &requests_[size_t(i) * lanes];
    gang.frame = frames_.get() + i * frame_stride_;
    gang.present = places_[i].lanes;
    gang.record_bytes = info_.record_bytes;
    gang.slots = slots_.get() + size_t(i) * info_.record_bytes;
    gang.slot_stride = slot_stride;
  }
}

bool Block::reuse(Grid &grid) {
  const SimdKernelInfo &info = static_cast<const Kernel &>(grid.code).info;
  const bool same = !info.sweep == !info_.sweep && info.gang_lanes == info_.gang_lanes &&
                    info.frame_bytes == info_.frame_bytes &&
                    info.record_bytes == info_.record_bytes &&
                    !info.calls_lanes == lanes_.empty() && grid.code.padded_rows == padded_rows_;
  if (!same || !fits(grid))
    return false;
  attach(grid);
  useCode();
  swept_before_ = false;
  return true;
}

void Block::useCode() {
  const auto &kernel = static_cast<const Kernel &>(current_grid->code);
  info_ = kernel.info;
  if (info_.sites)
    observe::attachCounts(*this, current_grid->launch, info_.sites);
  kept_appends = kernel.kept_appends;
  counted_.prepare(kernel.counted, counts);
  const Launch &launch = current_grid->launch;
  const uint64_t streamed = launch.grid.count() * launch.block.count() * info_.streamed_bytes;
  constexpr uint64_t within_a_line = 63;
  stream_bits = kernel.streams && streamed > cacheBytes() ? within_a_line : ~uint64_t(0);
  on_fiber_ = info_.recursive || info_.stack_bytes > modest_stack_bytes;
  stack_bytes_ =
      kernelStackBytes(info_.stack_bytes, info_.recursive, current_grid->launch.device.stack_bytes);
}

void Block::useStack(Fiber *fiber) {
  fiber_ = fiber;
  const uintptr_t limit =
      fiber ? reinterpret_cast<uintptr_t>(fiber->stack) + stack_reserve : uintptr_t(0);
  for (Gang &gang : gangs_)
    gang.stack_limit = limit;
  for (ThreadContext &lane : lanes_)
    lane.stack_limit = limit;
}

void Block::start(uint64_t index) {
  place(index);
  if (counted)
    observe::restartCounts(*this);
  strip_blocks = 1;
  following_ = 0;
  sweeping_ = false;
  fresh_ = true;
  all_released_ = false;
  live_ = uint32_t(current_grid->wideBlock().count());
  at_grid_ = 0;
  forEachLane(barriers_in_use_, [&](uint32_t id) { barriers_[id] = {}; });
  barriers_in_use_ = 0;
}

// Strip code runs all blocks in one call. For other kernels without suspend points, blocks run here
// in sequence.
uint64_t Block::lengthen(uint64_t more) {
  if (!static_cast<const Kernel &>(current_grid->code).allowed.allow(Choice::CoarsenBlocks) ||
      (!info_.strips && (info_.record_bytes != 0 || current_grid->launch.cooperative)))
    return 0;
  const auto beside =
      uint32_t(std::min<uint64_t>(more, (grid_dim[0] - block_index[0]) / fused_blocks - 1));
  if (info_.strips)
    strip_blocks = 1 + beside;
  else
    following_ = beside;
  return beside;
}

// ---- Running ----

void Block::fiberMain(void *argument) {
  for (;;) {
    BlockState state = static_cast<Block *>(argument)->run();
    argument = switchBack(&state);
  }
}

BlockState Block::step() {
  if (!on_fiber_) {
    if (fiber_)
      useStack(nullptr);
    return run();
  }
  FiberPool &fibers = fibersOfThisWorker();
  Fiber *fiber = fibers.acquire(stack_bytes_);
  if (fiber != fiber_)
    useStack(fiber);
  const BlockState state = *static_cast<BlockState *>(switchTo(*fiber, this));
  fibers.release(fiber);
  return state;
}

BlockState Block::run() {
  if (info_.record_bytes == 0)
    return runAlone();
  if (fresh_ && info_.sweep)
    return runSwept();
  has_yielded = false;
  const BlockState state = fresh_ || canSweep() ? sweep() : runGroups();
  if (state == BlockState::Ended)
    endAtGridBarrier();
  return state;
}

// Blocks without suspend points.
BlockState Block::runAlone() {
  for (;; --following_, block_index[0] += fused_blocks, blamed_thread = nullptr) {
    if (info_.sweep)
      runSwept();
    else
      runStraight();
    if (following_ == 0 || current_grid->cancelled.load(std::memory_order_relaxed))
      return BlockState::Ended;
  }
}

// Runs all gangs from barrier to barrier in one call of the sweep. If they reach different
// barriers, the general scheduler continues.
BlockState Block::runSwept() {
  fresh_ = false;
  if (info_.record_bytes != 0 && !swept_before_)
    for (Gang &gang : gangs_) {
      gang.reset();
      gang.resumed = gang.suspended = &gang.slot(0);
    }
  swept_before_ = false;
  sweeping_ = true;
  uint32_t state = 0;
  do
    state = info_.sweep(gangs_.data(), current_grid->launch.parameters, uint32_t(gangs_.size()),
                        sizeof(Gang), state);
  while (state != 0 && state != ~0u && !current_grid->cancelled.load(std::memory_order_relaxed));
  sweeping_ = false;
  if (state == 0) {
    live_ = 0;
    swept_before_ = true;
    endAtGridBarrier();
    return BlockState::Ended;
  }
  if (state != ~0u) // it is not to continue
    return BlockState::Progressed;
  for (Gang &gang : gangs_) {
    if (gang.outcome == 0) {
      lanesEnded(gang, gang.present);
      continue;
    }
    GroupRecord &record = gang.slot(0);
    record = {gang.present, gang.outcome, Suspension::Barrier, {0, 0, 0}};
    gang.used = 1;
    arrive(gang, record);
  }
  return BlockState::Progressed;
}

// Gang after gang, all with the same context and frame.
void Block::runStraight() {
  Gang &gang = gangs_[0];
  gang_ = &gang;
  const SimdEntry entry = info_.entry;
  const void *parameters = current_grid->launch.parameters;
  const uint32_t lanes = info_.gang_lanes;
  ThreadContext *lane_contexts = lanes_.data();
  for (const Place &place : places_) {
    active_ = place.lanes;
    gang.thread_index[0] = place.x;
    gang.thread_index[1] = place.y;
    gang.thread_index[2] = place.z;
    gang.linear_index = place.first;
    gang.lanes = lane_contexts;
    gang.ended = ~place.lanes;
    entry(&gang, parameters, place.x, place.y, place.z, place.lanes, 0);
    if (lane_contexts)
      lane_contexts += lanes;
  }
  endAtGridBarrier();
}

void Block::call(Gang &gang, const GroupRecord *resumed, uint32_t lanes, uint32_t state) {
  gang_ = &gang;
  active_ = lanes;
  gang.resumed = resumed;
  gang.suspended = reinterpret_cast<GroupRecord *>(written_.get());
  gang.spin_budget = gang.rounds;
  const uint32_t *first = gang.thread_index;
  info_.entry(&gang, current_grid->launch.parameters, first[0], first[1], first[2], lanes, state);
}

// Runs all gangs from barrier to barrier, for as long as all live lanes of the block reach the same
// one.
BlockState Block::sweep() {
  all_released_ = false;
  while (sweepOnce()) {
    if (live_ == 0)
      return BlockState::Ended;
    if (current_grid->cancelled.load(std::memory_order_relaxed))
      return BlockState::Progressed;
  }
  // Continues group by group. Lanes that the sweep has set aside have arrived where they wait.
  for (Gang &gang : gangs_)
    if (gang.used && !gang.waiting())
      arrive(gang, gang.slot(0));
  return live_ ? gotOn() : BlockState::Ended;
}

// Runs each gang once. True if every gang has reached the same __syncthreads() with all lanes, or
// has ended.
bool Block::sweepOnce() {
  auto &written = *reinterpret_cast<GroupRecord *>(written_.get());
  const auto *one = reinterpret_cast<const GroupRecord *>(written_.get() + info_.record_bytes);
  uint32_t barrier = ~0u;
  bool together = true;
  for (Gang &gang : gangs_) {
    const GroupRecord *resumed = nullptr;
    uint32_t lanes = gang.present, state = 0;
    if (fresh_) {
      gang.reset();
    } else {
      if (!gang.used)
        continue;
      resumed = &gang.slot(uint32_t(std::countr_zero(gang.used)));
      lanes = resumed->lanes;
      state = resumed->state;
    }
    call(gang, resumed, lanes, state);
    gang.ready = gang.used = 0;
    if (gang.suspended == one && written.kind == Suspension::Barrier && written.operands[1] == 0 &&
        BarrierReduction(written.operands[2]) == BarrierReduction::None &&
        (written.operands[0] == barrier || barrier == ~0u)) {
      barrier = written.operands[0];
      if (const uint32_t ended = lanes & ~keep(gang, written).lanes)
        lanesEnded(gang, ended);
    } else if (gang.suspended == &written) {
      lanesEnded(gang, lanes);
    } else {
      together = false;
      settle(gang, lanes);
    }
  }
  fresh_ = false;
  return together && !barriers_in_use_;
}

// Whether every gang is a single group that can continue.
bool Block::canSweep() const {
  return all_released_ && std::all_of(gangs_.begin(), gangs_.end(), [](const Gang &gang) {
           return !(gang.used & (gang.used - 1));
         });
}

BlockState Block::runGroups() {
  all_released_ = false;
  bool progressed = false, spinning = false;
  for (Gang &gang : gangs_) {
    if (gang.ready | gang.spinning)
      progressed |= runGang(gang);
    spinning |= gang.spinning != 0;
    if (all_released_)
      return gotOn();
  }
  if (live_ == 0)
    return BlockState::Ended;
  if (progressed)
    return gotOn();
  if (spinning)
    return BlockState::Spinning;
  if (at_grid_ != live_)
    return BlockState::Deadlocked;
  if (!passGridBarrier())
    return BlockState::AtGridBarrier;
  openGridBarrier();
  return BlockState::Progressed;
}

// Runs the gang until no lane can continue, or all that can have spun for a turn. Returns true if
// any lane did more than spin.
bool Block::runGang(Gang &gang) {
  bool progressed = runReady(gang);
  const uint32_t before = gang.spinning;
  if (!before || all_released_)
    return progressed;
  for (uint32_t rest = before; rest && !all_released_; rest &= ~active_)
    runGroup(gang, rest);
  const bool only_spun = gang.spinning == before && !gang.ready;
  gang.hasSpun(only_spun);
  progressed |= !only_spun;
  runReady(gang);
  return progressed;
}

// When all of the block's lanes are released together, the first gang starts.
bool Block::runReady(Gang &gang) {
  uint32_t rounds = 0;
  for (; gang.ready && !all_released_; ++rounds) {
    if (rounds == rounds_at_a_time) {
      has_yielded = true;
      return true;
    }
    runGroup(gang, gang.ready);
  }
  return rounds || all_released_;
}

void Block::runGroup(Gang &gang, uint32_t candidates) {
  auto &group = *reinterpret_cast<GroupRecord *>(resumed_.get());
  gang.take(candidates, group);
  gang.ready &= ~group.lanes;
  gang.spinning &= ~group.lanes;
  call(gang, &group, group.lanes, group.state);
  settle(gang, group.lanes);
}

// ---- For messages ----

const char *Block::deadlockReason() const {
  bool at_barrier = false, at_collective = false;
  for (const Gang &gang : gangs_) {
    at_barrier |= gang.at_barrier != 0;
    at_collective |= gang.at_collective != 0;
  }
  return deadlockWords(at_barrier, at_collective, at_grid_ != 0);
}

// The thread that called a service, or else the first of those that run together.
Dim3 Block::currentThread() const {
  const GangContext *gang = sweeping_ ? running : gang_;
  uint32_t index = blamed_thread ? blamed_thread->linear_index : gang->linear_index;
  if (!sweeping_ && (!blamed_thread || blamed_thread == gang))
    index += uint32_t(std::countr_zero(active_));
  const Dim3 shape = current_grid->wideBlock();
  return {index % shape.x, index / shape.x % shape.y, index / shape.x / shape.y};
}

bool Block::ranTogether() const {
  const GangContext *gang = sweeping_ ? running : gang_;
  if (blamed_thread && blamed_thread != gang)
    return false;
  return sweeping_ || (active_ & (active_ - 1)) != 0;
}

bool Block::isLocal(const void *address) const {
  const char *frames = frames_.get(), *end = frames + frame_stride_ * gangs_.size();
  if (address >= frames && address < end)
    return true;
  if (fiber_)
    return fiber_->holds(address);
  if (const Fiber *stack = ownStack())
    return stack->holds(address);
  static thread_local const OwnStack own;
  return address >= own.lowest && address < own.lowest + own.bytes;
}

} // namespace heddle::engine::simd
