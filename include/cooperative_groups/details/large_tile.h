// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of more than one warp, 64 to 1024 consecutive threads of a block: what they have in place
// of warp operations is a barrier and some shared memory of each tile. (CUDA C++ Programming Guide,
// "Thread Block Tile".)
#ifndef HEDDLE_COOPERATIVE_GROUPS_LARGE_TILE_H
#define HEDDLE_COOPERATIVE_GROUPS_LARGE_TILE_H

#include "group.h"

namespace cooperative_groups {

/// Before compute capability 8.0 CUDA wants to be given shared memory for large tiles. Heddle has
/// its own.
template <unsigned int MaxBlockSize = 1024> struct __align__(16) block_tile_memory {
  char heddle_unused[16];
};

template <unsigned int MaxBlockSize>
__HEDDLE_CG__ thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return this_thread_block();
}

namespace details {

inline constexpr unsigned slot_bytes = 64;

/// A barrier for each tile, whose first warp's number is its own, and a slot for each warp.
struct __align__(16) TileMemory {
  unsigned long long barriers[32];
  char slots[32][slot_bytes];
};

__HEDDLE_CG__ TileMemory &tileMemory() {
  __shared__ TileMemory memory;
  return memory;
}

// Barriers in shared memory are the device library's.
extern "C" __device__ void __heddle_mbarrier_init(unsigned long long *barrier, unsigned count);
extern "C" __device__ unsigned long long __heddle_mbarrier_arrive(unsigned long long *barrier,
                                                                  unsigned count, unsigned bytes);
extern "C" __device__ unsigned __heddle_mbarrier_test(const unsigned long long *barrier,
                                                      unsigned parity, unsigned waits);

/// All threads of the block call it when they make the tiles.
__HEDDLE_CG__ void prepareLargeTile(unsigned size) {
  const unsigned first = rankInBlock() & ~(size - 1), end = blockThreads();
  __syncthreads(); // no tile of the same warps is waiting
  if (rankInBlock() == first) {
    const unsigned threads = end - first < size ? end - first : size;
    __heddle_mbarrier_init(&tileMemory().barriers[first / 32], threads);
  }
  __syncthreads();
}

__HEDDLE_CG__ void syncLargeTile(unsigned size) {
  const unsigned first = rankInBlock() & ~(size - 1);
  unsigned long long *barrier = &tileMemory().barriers[first / 32];
  const unsigned parity = (unsigned)(__heddle_mbarrier_arrive(barrier, 1, 0) >> 63);
  while (!__heddle_mbarrier_test(barrier, parity, 1)) {
  }
}

/// What a tile of several warps can do, of those that a tile of lanes can.
template <unsigned int Size> class LargeTile : public thread_group {
  static_assert(Size <= 1024, "a tile is a part of a block, which has at most 1024 threads");

public:
  __HEDDLE_CG_MEMBER__ static constexpr unsigned int num_threads() { return Size; }
  __HEDDLE_CG_MEMBER__ static constexpr unsigned int size() { return Size; }
  __HEDDLE_CG_MEMBER__ static unsigned int thread_rank() { return rankInBlock() & (Size - 1); }
  __HEDDLE_CG_MEMBER__ unsigned int meta_group_rank() const { return meta_rank; }
  __HEDDLE_CG_MEMBER__ unsigned int meta_group_size() const { return meta_size; }
  __HEDDLE_CG_MEMBER__ static void sync() { syncLargeTile(Size); }

  /// The value of the thread of that rank.
  template <typename T> __HEDDLE_CG_MEMBER__ T shfl(T value, int source_rank) const {
    T result;
    char *slot = tileMemory().slots[firstWarp()];
    for (unsigned done = 0; done < sizeof(T); done += slot_bytes) {
      const unsigned rest = sizeof(T) - done;
      const unsigned bytes = rest < slot_bytes ? rest : slot_bytes;
      sync();
      if (thread_rank() == ((unsigned)source_rank & (Size - 1)))
        __builtin_memcpy(slot, reinterpret_cast<const char *>(&value) + done, bytes);
      sync();
      __builtin_memcpy(reinterpret_cast<char *>(&result) + done, slot, bytes);
    }
    return result;
  }
  __HEDDLE_CG_MEMBER__ int any(int predicate) const {
    return fromWarps((int)(__ballot_sync(~0u, predicate) != 0),
                     [](int a, int b) -> int { return a | b; });
  }
  __HEDDLE_CG_MEMBER__ int all(int predicate) const {
    return fromWarps((int)(__ballot_sync(~0u, !predicate) == 0),
                     [](int a, int b) -> int { return a & b; });
  }

  /// What the values of the tile's warps, the same in all threads of each, combine to.
  template <typename T, typename Operation>
  __HEDDLE_CG_MEMBER__ T fromWarps(T value, Operation operation) const {
    static_assert(sizeof(T) <= slot_bytes, "values of more than 64 bytes cannot be reduced by "
                                           "tiles of more than one warp");
    sync();
    if (laneId() == 0)
      __builtin_memcpy(tileMemory().slots[rankInBlock() / 32], &value, sizeof(T));
    sync();
    T result;
    __builtin_memcpy(&result, tileMemory().slots[firstWarp()], sizeof(T));
    for (unsigned warp = 1; warp < Size / 32; ++warp) {
      T other;
      __builtin_memcpy(&other, tileMemory().slots[firstWarp() + warp], sizeof(T));
      result = operation(result, other);
    }
    return result;
  }

protected:
  __HEDDLE_CG_MEMBER__ LargeTile(unsigned rank, unsigned count)
      : thread_group(GroupKind::tile, Size, rank, count) {
    prepareLargeTile(Size);
  }

private:
  __HEDDLE_CG_MEMBER__ static unsigned firstWarp() { return (rankInBlock() & ~(Size - 1)) / 32; }
};

} // namespace details

namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
} // namespace experimental

} // namespace cooperative_groups

#endif
