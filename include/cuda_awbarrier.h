// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_awbarrier.h: nvcuda::experimental::awbarrier, a barrier in shared memory at which arriving
// and waiting are two steps. (cuda::barrier of libcu++ is its successor.)
#ifndef _CUDA_AWBARRIER_H_
#define _CUDA_AWBARRIER_H_

#ifndef __cplusplus
#error "cuda_awbarrier.h is for C++ only"
#endif

#include "cuda_awbarrier_primitives.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700

namespace nvcuda {
namespace experimental {

class awbarrier {
public:
  class arrival_token {
  public:
    arrival_token() = default;
    __device__ ~arrival_token() {}
    __device__ uint32_t pending_count() const { return __mbarrier_token_pending_count(token); }

  private:
    __device__ arrival_token(__mbarrier_token_t of) : token(of) {}
    __mbarrier_token_t token;
    friend class awbarrier;
  };

  awbarrier() = default;
  awbarrier(const awbarrier &) = delete;
  awbarrier &operator=(const awbarrier &) = delete;

  __device__ arrival_token arrive() { return arrival_token(__mbarrier_arrive(&barrier)); }
  __device__ arrival_token arrive_and_drop() {
    return arrival_token(__mbarrier_arrive_and_drop(&barrier));
  }
  /// Whether the token's phase is over, now or after a while.
  __device__ bool timed_wait(arrival_token token, uint32_t hint_cycles) {
    const long long start = clock64();
    while (!__mbarrier_test_wait(&barrier, token.token))
      if (clock64() - start >= hint_cycles)
        return false;
    return true;
  }
  __device__ bool timed_wait_parity(bool phase, uint32_t hint_cycles) {
    const long long start = clock64();
    while (!__mbarrier_test_wait_parity(&barrier, phase))
      if (clock64() - start >= hint_cycles)
        return false;
    return true;
  }
  __device__ void wait(arrival_token token) {
    while (!__mbarrier_try_wait(&barrier, token.token, 1000000)) {
    }
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ bool try_wait(arrival_token token, uint32_t max_sleep_nanosec) {
    return __mbarrier_try_wait(&barrier, token.token, max_sleep_nanosec);
  }
  __device__ bool try_wait_parity(bool phase, uint32_t max_sleep_nanosec) {
    return __mbarrier_try_wait_parity(&barrier, phase, max_sleep_nanosec);
  }
  __device__ static constexpr uint32_t max() { return _CUDA_AWBARRIER_MAX_COUNT; }

private:
  __mbarrier_t barrier;
  friend __device__ inline void init(awbarrier *barrier, uint32_t expected_count);
  friend __device__ inline void inval(awbarrier *barrier);
  friend class pipeline;
};

__device__ inline void init(awbarrier *barrier, uint32_t expected_count) {
  __mbarrier_init(&barrier->barrier, expected_count);
}
__device__ inline void inval(awbarrier *barrier) { __mbarrier_inval(&barrier->barrier); }

} // namespace experimental
} // namespace nvcuda

#endif
#endif
