// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/schedule/resident_block.h"

#include "engine/observe/observer.h"

#include <algorithm>

namespace heddle::engine {
namespace {

uint32_t roundUp(uint32_t bytes, uint32_t unit) { return (bytes + unit - 1) / unit * unit; }

uint32_t staticBytes(const Grid &grid) { return roundUp(grid.static_shared_bytes, 128); }

// An inaccessible page follows shared memory at this distance: a vector access whose last lanes are
// masked off exceeds the array by less, and CPUs take hundreds of cycles to find that a masked lane
// does not fault.
constexpr uint32_t masked_reach = 512;

// A GPU allocates shared memory in units of 256 bytes and does not detect an overrun within one.
uint32_t sharedBytes(const Grid &grid) {
  // Tiles for tensor cores are declared with alignments up to 1024, which begin at such an address;
  // small arrays are not, and end nearer to the inaccessible page.
  const uint32_t bytes = roundUp(staticBytes(grid) + grid.launch.dynamic_shared_bytes, 256);
  return bytes < 4096 ? bytes : roundUp(bytes + masked_reach, 1024) - masked_reach;
}

// With a bit for each byte.
size_t writtenWords(uint32_t bytes) { return bytes / 64 + 1; }

} // namespace

uint32_t Barrier::result() const {
  switch (reduction) {
  case BarrierReduction::None:
    return 0;
  case BarrierReduction::Count:
    return true_count;
  case BarrierReduction::And:
    return true_count == waiting;
  case BarrierReduction::Or:
    return true_count != 0;
  }
  return 0;
}

ResidentBlock::ResidentBlock(Grid &grid)
    : ExtendedBlockContext(), current_grid(&grid), shared_memory_(sharedBytes(grid) + masked_reach),
      shared_bytes_(sharedBytes(grid)) {
  const Dim3 &shape = grid.launch.block;
  const uint32_t block_shape[] = {shape.x, shape.y, shape.z};
  std::copy_n(block_shape, 3, block_dim);
  fused_blocks = grid.fused_blocks;
  attach(grid);
}

bool ResidentBlock::fits(const Grid &grid) const {
  const Dim3 &shape = grid.launch.block;
  return block_dim[0] == shape.x && block_dim[1] == shape.y && block_dim[2] == shape.z &&
         fused_blocks == grid.fused_blocks && shared_bytes_ == sharedBytes(grid);
}

void ResidentBlock::attach(Grid &grid) {
  current_grid = &grid;
  counted = nullptr;
  const Launch &launch = grid.launch;
  const uint32_t grid_shape[] = {launch.grid.x, launch.grid.y, launch.grid.z};
  std::copy_n(grid_shape, 3, grid_dim);
  // At the very end of the mapping, so that an overrun faults.
  shared = shared_memory_.end() - masked_reach - shared_bytes_;
  dynamic_shared = shared + staticBytes(grid);
  dynamic_shared_bytes = launch.dynamic_shared_bytes;
  globals = static_cast<char *>(launch.globals);
  cluster = nullptr;
  multiprocessors = launch.device.multiprocessors;
  multiprocessor_warps = launch.device.multiprocessor_warps;
  grid_number = grid.number;
  grid_workspace = launch.cooperative ? grid.workspace : nullptr;
  const uint32_t events = observe::observer ? observe::observer->events() : 0;
  if ((events & observe::suspicious_accesses) && !slots_)
    slots_ = std::make_unique<observe::ExtentSlot[]>(observe::extent_slots);
  if ((events & observe::uninitialised_reads) && !shared_written_)
    shared_written_ = std::make_unique<uint64_t[]>(writtenWords(shared_bytes_));
  extents = slots_.get();
  if (extents) // another kernel numbers them in another way
    std::fill_n(extents, observe::extent_slots, observe::empty_slot);
}

void ResidentBlock::tellBegin() {
  const uint64_t changes = observe::memory_changes.load(std::memory_order_acquire);
  const bool stale = std::exchange(memory_changes_, changes) != changes;
  if (extents)
    std::fill_n(extents, stale ? observe::extent_slots : observe::shared_slots,
                observe::empty_slot);
  if (shared_written_)
    std::fill_n(shared_written_.get(), writtenWords(shared_bytes_), 0);
  observe::observer->blockBegin(current_grid->launch, *this);
}

CallingThread ResidentBlock::callingThread(const ThreadContext &thread) const {
  const Dim3 &shape = current_grid->launch.block;
  const uint32_t x = thread.thread_index[0];
  const Dim3 block = {block_index[0] + x / shape.x, block_index[1], block_index[2]};
  CallingThread caller;
  caller.block = current_grid->linearIndex(block);
  const unsigned axis = current_grid->lane_axis;
  const Dim3 place = turned({x % shape.x, thread.thread_index[1], thread.thread_index[2]}, axis);
  const Dim3 told = turned(shape, axis);
  caller.thread = place.x + told.x * (place.y + told.y * place.z);
  caller.replayed = current_grid->replay;
  return caller;
}

bool ResidentBlock::passGridBarrier() {
  if (!grid_arrived_) {
    grid_generation_ = current_grid->barrier_generation.load(std::memory_order_acquire);
    grid_arrived_ = true;
    current_grid->arrive(false);
  }
  if (current_grid->barrier_generation.load(std::memory_order_acquire) == grid_generation_)
    return false;
  grid_arrived_ = false;
  return true;
}

const char *ResidentBlock::deadlockWords(bool at_barrier, bool at_collective, bool at_grid) {
  if (at_collective && at_barrier)
    return "some threads wait at __syncthreads(), others at a warp operation (shuffle, vote, "
           "__syncwarp) whose mask names threads that never come";
  if (at_collective)
    return "threads wait at a warp operation (shuffle, vote, __syncwarp) whose mask names threads "
           "that never come";
  if (at_grid)
    return "some threads of the block wait at grid.sync(), others at __syncthreads()";
  return "threads wait at different barriers, or at one that expects more threads than come";
}

} // namespace heddle::engine
