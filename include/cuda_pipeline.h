// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_pipeline.h: nvcuda::experimental::pipeline, batches of copies from global to shared memory
// in the background. (cuda::pipeline of libcu++ is its successor.)
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

#ifndef __cplusplus
#error "cuda_pipeline.h is for C++ only"
#endif

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700

namespace nvcuda {
namespace experimental {

class pipeline {
public:
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;
  __device__ pipeline() : batch(0) {}

  /// Ends a batch; gives its number.
  __device__ size_t commit() {
    __pipeline_commit();
    return batch++;
  }
  __device__ void commit_and_wait() { wait(commit()); }
  __device__ void wait(size_t batch_number) {
    (void)batch_number;
    __pipeline_wait_prior(0);
  }
  template <unsigned N> __device__ void wait_prior() { __pipeline_wait_prior(N); }
  __device__ void arrive_on(awbarrier &barrier) { __pipeline_arrive_on(&barrier.barrier); }

private:
  size_t batch;
};

/// Copies one object, in words of 16, 8 or 4 bytes if its size and alignment allow.
template <class T> __device__ inline void memcpy_async(T &dst, const T &src, pipeline &) {
  constexpr size_t word = sizeof(T) % 16 == 0 && alignof(T) % 16 == 0 ? 16
                          : sizeof(T) % 8 == 0 && alignof(T) % 8 == 0 ? 8
                          : sizeof(T) % 4 == 0 && alignof(T) % 4 == 0 ? 4
                                                                      : 0;
  static_assert(__is_trivially_copyable(T), "memcpy_async needs a trivially copyable type");
  if (word != 0) {
    for (size_t i = 0; i < sizeof(T); i += word)
      __heddle_copy_async<word ? word : 4>(reinterpret_cast<char *>(&dst) + i,
                                           reinterpret_cast<const char *>(&src) + i, 0);
  } else {
    dst = src;
  }
}

} // namespace experimental
} // namespace nvcuda

#endif
#endif
