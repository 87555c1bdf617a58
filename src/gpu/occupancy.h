// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Occupancy: how many blocks of a kernel a multiprocessor (SM) holds at once.
//
// An SM keeps several blocks resident, so that while one warp waits for memory another can run. How
// many fit depends on what a block needs: warps, registers, shared memory, and one of the SM's
// block slots. The scarcest decides. These are the rules of NVIDIA's published occupancy
// calculator; they answer cudaOccupancyMaxActiveBlocksPerMultiprocessor and its relatives, which
// programs use to choose their block size (CUDA C++ Programming Guide, "Occupancy Calculator").
#pragma once

#include "gpu/gpu.h"

#include <cstddef>
#include <functional>
#include <optional>

namespace heddle::gpu {

/// What one block of a kernel asks for.
struct KernelResources {
  int threads = 0;              // per block
  int registers_per_thread = 0; // cudaFuncAttributes::numRegs
  uint64_t static_shared = 0;   // cudaFuncAttributes::sharedSizeBytes
  uint64_t dynamic_shared = 0;  // third launch parameter
  /// cudaFuncAttributeMaxDynamicSharedMemorySize, where the program has set it: needed for more
  /// than Gpu::shared_per_block.
  std::optional<uint64_t> max_dynamic_shared = std::nullopt;
  int max_threads_per_block = 0; // from __launch_bounds__; 0: the GPU's limit
  int shared_carveout = -1;      // cudaFuncAttributePreferredSharedMemoryCarveout, in percent
};

/// What keeps a further block from the SM.
enum class Limiter { Warps, Blocks, Registers, Shared };
/// In words: "shared memory".
const char *nameOf(Limiter limiter);

struct Occupancy {
  int blocks_per_sm = 0;            // 0: such a block cannot run at all
  int active_warps = 0;             // per SM
  Limiter limiter = Limiter::Warps; // the first of them whose limit is blocks_per_sm
  // How many blocks each resource alone would allow (INT_MAX where none of it is used).
  int limit_warps = 0, limit_blocks = 0, limit_registers = 0, limit_shared = 0;
};

Occupancy occupancy(const Gpu &gpu, const KernelResources &kernel);

/// cudaFuncAttributes::maxThreadsPerBlock: the largest block that the launch bounds and the
/// registers allow. 0: the kernel cannot run at all.
int maxThreadsPerBlock(const Gpu &gpu, const KernelResources &kernel);

/// The most registers a thread with which one block of `threads` threads can run.
int mostRegisters(const Gpu &gpu, int threads);

struct BlockSize {
  int threads = 0;  // 0: no block size can run
  int min_grid = 0; // blocks that fill the whole GPU
};

/// cudaOccupancyMaxPotentialBlockSize*: the largest block size, no larger than `limit` (0: none),
/// among those that keep the most threads resident. `dynamic_shared` gives the dynamic shared
/// memory for a block size; where it is empty, kernel.dynamic_shared serves for all.
BlockSize maxPotentialBlockSize(const Gpu &gpu, KernelResources kernel, int limit = 0,
                                const std::function<size_t(int)> &dynamic_shared = {});

/// cudaOccupancyAvailableDynamicSMemPerBlock: the most dynamic shared memory with which `blocks`
/// blocks still fit on an SM. Nothing if they do not fit even without any.
std::optional<uint64_t> availableDynamicShared(const Gpu &gpu, KernelResources kernel, int blocks);

/// What is left of an SM's memory for its L1 cache while it holds so many blocks, each of which has
/// so many bytes of shared memory, as an H100's driver divides it (tests/hardware): it gives shared
/// memory 32 KiB at least, and the next larger configuration if little would be left.
uint64_t l1BytesBeside(const Gpu &gpu, uint64_t shared_per_block, int blocks);

} // namespace heddle::gpu
