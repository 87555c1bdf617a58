// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the groups below a warp are made of: lanes, masks of lanes, and shuffles of values of any
// trivially copyable type, 32 bits at a time.
#ifndef HEDDLE_COOPERATIVE_GROUPS_LANES_H
#define HEDDLE_COOPERATIVE_GROUPS_LANES_H

#include <cuda_runtime.h>

#define __HEDDLE_CG__ static inline __device__ __attribute__((always_inline))
#define __HEDDLE_CG_MEMBER__ inline __device__ __attribute__((always_inline))

namespace cooperative_groups {
namespace details {

template <typename T> struct remove_cvref {
  typedef T type;
};
template <typename T> struct remove_cvref<const T> : remove_cvref<T> {};
template <typename T> struct remove_cvref<volatile T> : remove_cvref<T> {};
template <typename T> struct remove_cvref<const volatile T> : remove_cvref<T> {};
template <typename T> struct remove_cvref<T &> : remove_cvref<T> {};
template <typename T> struct remove_cvref<T &&> : remove_cvref<T> {};
template <typename T> using remove_cvref_t = typename remove_cvref<T>::type;

__HEDDLE_CG__ unsigned laneId() { return __nvvm_read_ptx_sreg_laneid(); }

/// The lanes below `lane`.
__HEDDLE_CG__ unsigned lanesBelow(unsigned lane) { return (1u << lane) - 1u; }

/// The lanes below the calling one.
__HEDDLE_CG__ unsigned lanesBelowMe() { return lanesBelow(laneId()); }

/// A mask of the lowest `count` lanes, 0 <= count <= 32.
__HEDDLE_CG__ unsigned lowestLanes(unsigned count) {
  return count >= 32 ? 0xffffffffu : (1u << count) - 1u;
}

__HEDDLE_CG__ unsigned countLanes(unsigned mask) { return __builtin_popcount(mask); }
__HEDDLE_CG__ unsigned firstLane(unsigned mask) { return mask ? __builtin_ctz(mask) : 0; }

/// The lane of rank `rank` in `mask`; lane 0 if there is none.
__HEDDLE_CG__ unsigned laneOfRank(unsigned mask, unsigned rank) {
  if (mask == 0xffffffffu)
    return rank & 31;
  for (; rank > 0; --rank)
    mask &= mask - 1;
  return firstLane(mask);
}

/// A group's result has bit i for its thread of rank i: moves each bit of `lanes` from its lane to
/// that lane's rank in `mask`.
__HEDDLE_CG__ unsigned packByRank(unsigned lanes, unsigned mask) {
  unsigned packed = 0;
  for (unsigned rank = 0; mask != 0; ++rank, mask &= mask - 1)
    packed |= (lanes >> firstLane(mask) & 1u) << rank;
  return packed;
}

__HEDDLE_CG__ unsigned blockThreads() { return blockDim.x * blockDim.y * blockDim.z; }

__HEDDLE_CG__ unsigned rankInBlock() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

/// Applies `shuffle` (a function of one 32-bit word) to every word of `value`.
template <typename T, typename Shuffle>
__HEDDLE_CG__ T shuffleWords(const T &value, const Shuffle &shuffle) {
  static_assert(__is_trivially_copyable(T), "only a trivially copyable type can be shuffled");
  constexpr unsigned count = (sizeof(T) + 3) / 4;
  unsigned words[count] = {};
  T result = value;
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < count; ++i)
    words[i] = shuffle(words[i]);
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}

struct ShuffleFrom {
  unsigned mask;
  int lane, width;
  __HEDDLE_CG_MEMBER__ unsigned operator()(unsigned word) const {
    return __shfl_sync(mask, word, lane, width);
  }
};
struct ShuffleUp {
  unsigned mask, delta;
  int width;
  __HEDDLE_CG_MEMBER__ unsigned operator()(unsigned word) const {
    return __shfl_up_sync(mask, word, delta, width);
  }
};
struct ShuffleDown {
  unsigned mask, delta;
  int width;
  __HEDDLE_CG_MEMBER__ unsigned operator()(unsigned word) const {
    return __shfl_down_sync(mask, word, delta, width);
  }
};
struct ShuffleXor {
  unsigned mask, lane_mask;
  int width;
  __HEDDLE_CG_MEMBER__ unsigned operator()(unsigned word) const {
    return __shfl_xor_sync(mask, word, lane_mask, width);
  }
};

} // namespace details
} // namespace cooperative_groups

#endif
