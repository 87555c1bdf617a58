// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The occupancy rules, one function for each resource that an SM can run out of.
#include "gpu/occupancy.h"

#include <algorithm>
#include <climits>

namespace heddle::gpu {
namespace {

template <typename T> T divideUp(T value, T by) { return (value + by - 1) / by; }
template <typename T> T roundUp(T value, T multiple) {
  return divideUp(value, multiple) * multiple;
}

int warpsOf(const Gpu &gpu, const KernelResources &kernel) {
  return divideUp(kernel.threads, gpu.warp_size);
}

int blocksByWarps(const Gpu &gpu, const KernelResources &kernel) {
  if (kernel.threads > gpu.max_threads_per_block)
    return 0;
  return gpu.max_threads_per_multiprocessor / gpu.warp_size / warpsOf(gpu, kernel);
}

// The launch check counts a block as if its last warps filled every sub-partition alike.
int checkedWarps(const Gpu &gpu, const KernelResources &kernel) {
  return roundUp(warpsOf(gpu, kernel), gpu.warp_allocation_granularity);
}

// Registers belong to a warp, and a warp belongs to one of the SM's sub-partitions, each of which
// has an equal share of the register file: what is left over in one cannot be joined with another's
// rest.
int registersPerWarp(const Gpu &gpu, const KernelResources &kernel) {
  return roundUp(kernel.registers_per_thread * gpu.warp_size, gpu.register_allocation_unit);
}

int blocksByRegisters(const Gpu &gpu, const KernelResources &kernel) {
  if (kernel.registers_per_thread > gpu.max_registers_per_thread)
    return 0;
  int per_warp = registersPerWarp(gpu, kernel);
  if (per_warp == 0)
    return INT_MAX;
  if (int64_t(per_warp) * checkedWarps(gpu, kernel) > gpu.registers_per_block)
    return 0;
  int warps_per_partition = gpu.registers_per_multiprocessor / gpu.sub_partitions / per_warp;
  return warps_per_partition * gpu.sub_partitions / warpsOf(gpu, kernel);
}

/// The most dynamic shared memory that one block may ask for. A program can raise it above what
/// every kernel may have, but not lower it (cudaFuncAttributeMaxDynamicSharedMemorySize; seen on an
/// H200).
uint64_t maxDynamicShared(const Gpu &gpu, const KernelResources &kernel) {
  uint64_t without_asking =
      gpu.shared_per_block - std::min(gpu.shared_per_block, kernel.static_shared);
  return std::max(without_asking, kernel.max_dynamic_shared.value_or(0));
}

bool sharedFitsBlock(const Gpu &gpu, const KernelResources &kernel) {
  return kernel.static_shared <= gpu.shared_per_block &&
         kernel.dynamic_shared <= maxDynamicShared(gpu, kernel) &&
         kernel.static_shared + kernel.dynamic_shared <= gpu.shared_per_block_optin;
}

/// The smallest configuration of the unified L1 and shared memory with room for `bytes`.
uint64_t carveoutFor(const Gpu &gpu, uint64_t bytes) {
  auto size = std::ranges::lower_bound(gpu.shared_carveouts, bytes);
  return size == gpu.shared_carveouts.end() ? gpu.shared_per_multiprocessor : *size;
}

/// What the SM gives to shared memory by the kernel's preference, before looking at a block's need.
uint64_t preferredCarveout(const Gpu &gpu, const KernelResources &kernel) {
  if (kernel.shared_carveout < 0)
    return gpu.shared_per_multiprocessor;
  return carveoutFor(gpu, gpu.shared_per_multiprocessor * kernel.shared_carveout / 100);
}

int blocksByShared(const Gpu &gpu, const KernelResources &kernel) {
  if (!sharedFitsBlock(gpu, kernel))
    return 0;
  uint64_t block =
      roundUp(kernel.static_shared + kernel.dynamic_shared + gpu.shared_reserved_per_block,
              gpu.shared_allocation_unit);
  if (block == 0)
    return INT_MAX;
  // The preference is a hint: a block that needs more gets the next size that can hold one.
  uint64_t available = preferredCarveout(gpu, kernel);
  if (available < block)
    available = carveoutFor(gpu, block);
  return static_cast<int>(available / block);
}

} // namespace

Occupancy occupancy(const Gpu &gpu, const KernelResources &kernel) {
  Occupancy result;
  if (kernel.threads <= 0)
    return result;
  result.limit_warps = blocksByWarps(gpu, kernel);
  result.limit_blocks = gpu.max_blocks_per_multiprocessor;
  result.limit_registers = blocksByRegisters(gpu, kernel);
  result.limit_shared = blocksByShared(gpu, kernel);
  result.blocks_per_sm = std::min(
      {result.limit_warps, result.limit_blocks, result.limit_registers, result.limit_shared});
  result.active_warps = result.blocks_per_sm * warpsOf(gpu, kernel);
  if (result.blocks_per_sm == result.limit_warps)
    result.limiter = Limiter::Warps;
  else if (result.blocks_per_sm == result.limit_blocks)
    result.limiter = Limiter::Blocks;
  else if (result.blocks_per_sm == result.limit_registers)
    result.limiter = Limiter::Registers;
  else
    result.limiter = Limiter::Shared;
  return result;
}

int maxThreadsPerBlock(const Gpu &gpu, const KernelResources &kernel) {
  int threads = gpu.max_threads_per_block;
  if (kernel.max_threads_per_block > 0)
    threads = std::min(threads, kernel.max_threads_per_block);
  if (kernel.registers_per_thread > gpu.max_registers_per_thread)
    return 0;
  if (int per_warp = registersPerWarp(gpu, kernel)) {
    int warps = gpu.registers_per_block / per_warp;
    warps -= warps % gpu.warp_allocation_granularity;
    threads = std::min(threads, warps * gpu.warp_size);
  }
  return threads;
}

int mostRegisters(const Gpu &gpu, int threads) {
  const int warps = checkedWarps(gpu, {.threads = std::max(threads, 1)});
  const int per_warp =
      gpu.registers_per_block / warps / gpu.register_allocation_unit * gpu.register_allocation_unit;
  return std::min(per_warp / gpu.warp_size, gpu.max_registers_per_thread);
}

BlockSize maxPotentialBlockSize(const Gpu &gpu, KernelResources kernel, int limit,
                                const std::function<size_t(int)> &dynamic_shared) {
  int largest = maxThreadsPerBlock(gpu, kernel);
  if (limit > 0)
    largest = std::min(largest, limit);

  BlockSize best;
  int best_resident = 0;
  // Multiples of a warp, from the largest down; the limit itself need not be one.
  for (int size = roundUp(largest, gpu.warp_size); size > 0; size -= gpu.warp_size) {
    kernel.threads = std::min(size, largest);
    if (dynamic_shared)
      kernel.dynamic_shared = dynamic_shared(kernel.threads);
    int blocks = occupancy(gpu, kernel).blocks_per_sm;
    if (blocks * kernel.threads <= best_resident)
      continue;
    best_resident = blocks * kernel.threads;
    best = {kernel.threads, blocks * gpu.multiprocessors};
    if (best_resident == gpu.max_threads_per_multiprocessor)
      break;
  }
  return best;
}

std::optional<uint64_t> availableDynamicShared(const Gpu &gpu, KernelResources kernel, int blocks) {
  kernel.dynamic_shared = 0;
  if (blocks <= 0 || occupancy(gpu, kernel).blocks_per_sm < blocks)
    return std::nullopt;
  // NVIDIA's calculator leaves the driver's reserve out of this sum, so that on GPUs which have one
  // the answer can be a little more than fits; a real H200 answers the same.
  uint64_t available = gpu.shared_per_block_optin;
  if (blocks > 1) { // a lone block may have all that a block can have
    uint64_t share = std::max(preferredCarveout(gpu, kernel), carveoutFor(gpu, 1)) / blocks;
    available = std::min(available, share - share % gpu.shared_allocation_unit);
  }
  available -= std::min(available, kernel.static_shared);
  return std::min(available, kernel.max_dynamic_shared.value_or(maxDynamicShared(gpu, kernel)));
}

const char *nameOf(Limiter limiter) {
  switch (limiter) {
  case Limiter::Warps:
    return "warps";
  case Limiter::Blocks:
    return "blocks";
  case Limiter::Registers:
    return "registers";
  case Limiter::Shared:
    return "shared memory";
  }
  return "";
}

uint64_t l1BytesBeside(const Gpu &gpu, uint64_t shared_per_block, int blocks) {
  constexpr uint64_t least = 32768;
  uint64_t used = 0;
  if (shared_per_block)
    used = uint64_t(blocks) *
           roundUp(shared_per_block + gpu.shared_reserved_per_block, gpu.shared_allocation_unit);
  const uint64_t with_room = used + used * 5 / 8;
  return gpu.l1_bytes - carveoutFor(gpu, std::max(least, with_room));
}

} // namespace heddle::gpu
