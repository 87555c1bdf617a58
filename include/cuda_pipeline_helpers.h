// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the headers about asynchronous copies share.
#ifndef _CUDA_PIPELINE_HELPERS_H_
#define _CUDA_PIPELINE_HELPERS_H_

#include "cuda_awbarrier_primitives.h"

#define _CUDA_PIPELINE_QUALIFIER static inline __attribute__((unused)) __device__
#define _CUDA_PIPELINE_STATIC_QUALIFIER static inline __device__

namespace nvcuda {
namespace experimental {

/// Copies `Size` bytes to shared memory, of which the last `zeros` are zeros instead.
template <size_t Size>
__device__ inline void __heddle_copy_async(void *to, const void *from, uint32_t zeros) {
  static_assert(Size == 4 || Size == 8 || Size == 16, "4, 8 or 16 bytes are copied at a time");
  if (Size == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(__heddle_shared_address(to)), "l"(from), "r"(uint32_t(Size) - zeros)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                 :
                 : "r"(__heddle_shared_address(to)), "l"(from), "n"(Size == 8 ? 8 : 4),
                   "r"(uint32_t(Size) - zeros)
                 : "memory");
}

/// Waits until at most the newest `prior` batches are not there yet, or at most `Most`.
template <unsigned Most> __device__ inline void __heddle_wait_prior(size_t prior) {
  if (prior < Most)
    __heddle_wait_prior<Most - 1>(prior);
  else
    asm volatile("cp.async.wait_group %0;" : : "n"(Most) : "memory");
}
template <> __device__ inline void __heddle_wait_prior<0>(size_t) {
  asm volatile("cp.async.wait_all;" : : : "memory");
}

} // namespace experimental
} // namespace nvcuda

#endif
