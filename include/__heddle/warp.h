// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp functions: shuffle, vote, match, reduce (CUDA C++ Programming Guide, "Warp Shuffle
// Functions", "Warp Vote Functions", "Warp Match Functions", "Warp Reduce Functions").
//
// A shuffle's last operand packs the bounds of the segment a lane may read from: bits 8-12 mask the
// lane bits that stay fixed, bits 0-4 clamp the source lane (PTX ISA, "shfl.sync"). For segments of
// `width` lanes that is (32 - width) << 8, with clamp 31, or 0 when shuffling up.
#pragma once

#include <__heddle/define.h>

#define __HEDDLE_SHUFFLE(NAME, MODE, CLAMP, OFFSET)                                                \
  __HEDDLE_DEVICE__ int NAME(unsigned mask, int value, OFFSET offset, int width = 32) {            \
    return __nvvm_shfl_sync_##MODE##_i32(mask, value, offset, ((32 - width) << 8) | CLAMP);        \
  }                                                                                                \
  __HEDDLE_DEVICE__ float NAME(unsigned mask, float value, OFFSET offset, int width = 32) {        \
    return __nvvm_shfl_sync_##MODE##_f32(mask, value, offset, ((32 - width) << 8) | CLAMP);        \
  }                                                                                                \
  __HEDDLE_DEVICE__ unsigned NAME(unsigned mask, unsigned value, OFFSET offset, int width = 32) {  \
    return (unsigned)NAME(mask, (int)value, offset, width);                                        \
  }                                                                                                \
  __HEDDLE_DEVICE__ unsigned long long NAME(unsigned mask, unsigned long long value,               \
                                            OFFSET offset, int width = 32) {                       \
    unsigned low = NAME(mask, (unsigned)value, offset, width);                                     \
    unsigned high = NAME(mask, (unsigned)(value >> 32), offset, width);                            \
    return (unsigned long long)high << 32 | low;                                                   \
  }                                                                                                \
  __HEDDLE_DEVICE__ long long NAME(unsigned mask, long long value, OFFSET offset,                  \
                                   int width = 32) {                                               \
    return (long long)NAME(mask, (unsigned long long)value, offset, width);                        \
  }                                                                                                \
  __HEDDLE_DEVICE__ unsigned long NAME(unsigned mask, unsigned long value, OFFSET offset,          \
                                       int width = 32) {                                           \
    return (unsigned long)NAME(mask, (unsigned long long)value, offset, width);                    \
  }                                                                                                \
  __HEDDLE_DEVICE__ long NAME(unsigned mask, long value, OFFSET offset, int width = 32) {          \
    return (long)NAME(mask, (unsigned long long)value, offset, width);                             \
  }                                                                                                \
  __HEDDLE_DEVICE__ double NAME(unsigned mask, double value, OFFSET offset, int width = 32) {      \
    unsigned long long bits =                                                                      \
        NAME(mask, __builtin_bit_cast(unsigned long long, value), offset, width);                  \
    return __builtin_bit_cast(double, bits);                                                       \
  }

__HEDDLE_SHUFFLE(__shfl_sync, idx, 31, int)
__HEDDLE_SHUFFLE(__shfl_up_sync, up, 0, unsigned)
__HEDDLE_SHUFFLE(__shfl_down_sync, down, 31, unsigned)
__HEDDLE_SHUFFLE(__shfl_xor_sync, bfly, 31, int)
#undef __HEDDLE_SHUFFLE

__HEDDLE_DEVICE__ unsigned __activemask() { return (unsigned)__nvvm_activemask(); }

__HEDDLE_DEVICE__ int __all_sync(unsigned mask, int predicate) {
  return __nvvm_vote_all_sync(mask, predicate);
}
__HEDDLE_DEVICE__ int __any_sync(unsigned mask, int predicate) {
  return __nvvm_vote_any_sync(mask, predicate);
}
__HEDDLE_DEVICE__ int __uni_sync(unsigned mask, int predicate) {
  return __nvvm_vote_uni_sync(mask, predicate);
}
__HEDDLE_DEVICE__ unsigned __ballot_sync(unsigned mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}

// The forms without a mask, removed from CUDA for compute capability 7.0 and later. Old programs
// still use them; they act on the lanes that are active together.
#define __HEDDLE_SHUFFLE_UNMASKED(NAME, OFFSET)                                                    \
  template <typename __T>                                                                          \
  __HEDDLE_DEVICE__ auto NAME(__T value, OFFSET offset, int width = 32)                            \
      -> decltype(NAME##_sync(0u, value, offset, width)) {                                         \
    return NAME##_sync(__activemask(), value, offset, width);                                      \
  }
__HEDDLE_SHUFFLE_UNMASKED(__shfl, int)
__HEDDLE_SHUFFLE_UNMASKED(__shfl_up, unsigned)
__HEDDLE_SHUFFLE_UNMASKED(__shfl_down, unsigned)
__HEDDLE_SHUFFLE_UNMASKED(__shfl_xor, int)
#undef __HEDDLE_SHUFFLE_UNMASKED

__HEDDLE_DEVICE__ int __all(int predicate) { return __all_sync(__activemask(), predicate); }
__HEDDLE_DEVICE__ int __any(int predicate) { return __any_sync(__activemask(), predicate); }
__HEDDLE_DEVICE__ unsigned __ballot(int predicate) {
  return __ballot_sync(__activemask(), predicate);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define __HEDDLE_MATCH(TYPE, BITS, WORD)                                                           \
  __HEDDLE_DEVICE__ unsigned __match_any_sync(unsigned mask, TYPE value) {                         \
    return __nvvm_match_any_sync_i##BITS(mask, __builtin_bit_cast(WORD, value));                   \
  }                                                                                                \
  __HEDDLE_DEVICE__ unsigned __match_all_sync(unsigned mask, TYPE value, int *predicate) {         \
    return __nvvm_match_all_sync_i##BITS##p(mask, __builtin_bit_cast(WORD, value), predicate);     \
  }
__HEDDLE_MATCH(int, 32, unsigned)
__HEDDLE_MATCH(unsigned, 32, unsigned)
__HEDDLE_MATCH(float, 32, unsigned)
__HEDDLE_MATCH(long, 64, unsigned long long)
__HEDDLE_MATCH(unsigned long, 64, unsigned long long)
__HEDDLE_MATCH(long long, 64, unsigned long long)
__HEDDLE_MATCH(unsigned long long, 64, unsigned long long)
__HEDDLE_MATCH(double, 64, unsigned long long)
#undef __HEDDLE_MATCH
#endif

// The hardware has these from compute capability 8.0 on; nvcc hides them from older targets.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__HEDDLE_DEVICE__ unsigned __reduce_add_sync(unsigned mask, unsigned value) {
  return (unsigned)__nvvm_redux_sync_add((int)value, (int)mask);
}
__HEDDLE_DEVICE__ int __reduce_add_sync(unsigned mask, int value) {
  return __nvvm_redux_sync_add(value, (int)mask);
}
__HEDDLE_DEVICE__ unsigned __reduce_min_sync(unsigned mask, unsigned value) {
  return __nvvm_redux_sync_umin(value, (int)mask);
}
__HEDDLE_DEVICE__ int __reduce_min_sync(unsigned mask, int value) {
  return __nvvm_redux_sync_min(value, (int)mask);
}
__HEDDLE_DEVICE__ unsigned __reduce_max_sync(unsigned mask, unsigned value) {
  return __nvvm_redux_sync_umax(value, (int)mask);
}
__HEDDLE_DEVICE__ int __reduce_max_sync(unsigned mask, int value) {
  return __nvvm_redux_sync_max(value, (int)mask);
}
__HEDDLE_DEVICE__ unsigned __reduce_and_sync(unsigned mask, unsigned value) {
  return (unsigned)__nvvm_redux_sync_and((int)value, (int)mask);
}
__HEDDLE_DEVICE__ unsigned __reduce_or_sync(unsigned mask, unsigned value) {
  return (unsigned)__nvvm_redux_sync_or((int)value, (int)mask);
}
__HEDDLE_DEVICE__ unsigned __reduce_xor_sync(unsigned mask, unsigned value) {
  return (unsigned)__nvvm_redux_sync_xor((int)value, (int)mask);
}
#endif
