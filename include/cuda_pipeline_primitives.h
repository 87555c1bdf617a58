// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_pipeline_primitives.h: copies from global to shared memory in the background, in batches
// (CUDA C++ Programming Guide, "Asynchronous Data Copies using the Pipeline Primitives").
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "cuda_pipeline_helpers.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700

/// Copies 4, 8 or 16 bytes, to which both addresses are aligned; the last `zfill` become zeros.
_CUDA_PIPELINE_QUALIFIER void __pipeline_memcpy_async(void *__restrict__ dst_shared,
                                                      const void *__restrict__ src_global,
                                                      size_t size_and_align, size_t zfill = 0) {
  const uint32_t zeros = static_cast<uint32_t>(zfill);
  if (zfill > size_and_align)
    __trap();
  switch (size_and_align) {
  case 4:
    nvcuda::experimental::__heddle_copy_async<4>(dst_shared, src_global, zeros);
    return;
  case 8:
    nvcuda::experimental::__heddle_copy_async<8>(dst_shared, src_global, zeros);
    return;
  case 16:
    nvcuda::experimental::__heddle_copy_async<16>(dst_shared, src_global, zeros);
    return;
  default:
    __trap();
  }
}

_CUDA_PIPELINE_QUALIFIER void __pipeline_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Waits until at most the newest `prior` batches are not there yet. (The instruction takes a
/// constant; with more than eight it waits for more than it has to.)
_CUDA_PIPELINE_QUALIFIER void __pipeline_wait_prior(size_t prior) {
  nvcuda::experimental::__heddle_wait_prior<8>(prior);
}

_CUDA_PIPELINE_QUALIFIER void __pipeline_arrive_on(__mbarrier_t *barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];"
               :
               : "r"(nvcuda::experimental::__heddle_shared_address(barrier))
               : "memory");
}

#endif
#endif
