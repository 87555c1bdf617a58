// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_awbarrier_primitives.h: barriers in shared memory at which arriving and waiting are two
// steps (CUDA C++ Programming Guide, "Asynchronous Barrier Primitives Interface").
#ifndef _CUDA_AWBARRIER_PRIMITIVES_H_
#define _CUDA_AWBARRIER_PRIMITIVES_H_

#include "cuda_awbarrier_helpers.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700

typedef __mbarrier_type__ __mbarrier_t;
typedef __mbarrier_token_type__ __mbarrier_token_t;

_CUDA_AWBARRIER_QUALIFIER uint32_t __mbarrier_maximum_count() { return (1u << 20) - 1; }

_CUDA_AWBARRIER_QUALIFIER void __mbarrier_init(__mbarrier_t *barrier, uint32_t expected_count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
               :
               : "r"(nvcuda::experimental::__heddle_shared_address(barrier)), "r"(expected_count)
               : "memory");
}

_CUDA_AWBARRIER_QUALIFIER void __mbarrier_inval(__mbarrier_t *barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];"
               :
               : "r"(nvcuda::experimental::__heddle_shared_address(barrier))
               : "memory");
}

_CUDA_AWBARRIER_QUALIFIER __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
               : "=l"(token)
               : "r"(nvcuda::experimental::__heddle_shared_address(barrier))
               : "memory");
  return token;
}

_CUDA_AWBARRIER_QUALIFIER __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];"
               : "=l"(token)
               : "r"(nvcuda::experimental::__heddle_shared_address(barrier))
               : "memory");
  return token;
}

_CUDA_AWBARRIER_QUALIFIER bool __mbarrier_test_wait(__mbarrier_t *barrier,
                                                    __mbarrier_token_t token) {
  unsigned over;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2;"
               " selp.u32 %0, 1, 0, p; }"
               : "=r"(over)
               : "r"(nvcuda::experimental::__heddle_shared_address(barrier)), "l"(token)
               : "memory");
  return over != 0;
}

_CUDA_AWBARRIER_QUALIFIER bool __mbarrier_test_wait_parity(__mbarrier_t *barrier,
                                                           bool phase_parity) {
  unsigned over;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;"
               " selp.u32 %0, 1, 0, p; }"
               : "=r"(over)
               : "r"(nvcuda::experimental::__heddle_shared_address(barrier)),
                 "r"(unsigned(phase_parity))
               : "memory");
  return over != 0;
}

_CUDA_AWBARRIER_QUALIFIER uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  uint32_t count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}

_CUDA_AWBARRIER_QUALIFIER bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token,
                                                   uint32_t max_sleep_nanosec) {
  unsigned over;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2, %3;"
               " selp.u32 %0, 1, 0, p; }"
               : "=r"(over)
               : "r"(nvcuda::experimental::__heddle_shared_address(barrier)), "l"(token),
                 "r"(max_sleep_nanosec)
               : "memory");
  return over != 0;
}

_CUDA_AWBARRIER_QUALIFIER bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool phase_parity,
                                                          uint32_t max_sleep_nanosec) {
  unsigned over;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2, %3;"
               " selp.u32 %0, 1, 0, p; }"
               : "=r"(over)
               : "r"(nvcuda::experimental::__heddle_shared_address(barrier)),
                 "r"(unsigned(phase_parity)), "r"(max_sleep_nanosec)
               : "memory");
  return over != 0;
}

#endif
#endif
