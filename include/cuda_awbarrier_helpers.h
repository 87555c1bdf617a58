// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the headers about asynchronous barriers share.
#ifndef _CUDA_AWBARRIER_HELPERS_H_
#define _CUDA_AWBARRIER_HELPERS_H_

#include <cuda_runtime.h>

#include <stddef.h>
#include <stdint.h>

#define _CUDA_AWBARRIER_QUALIFIER static inline __attribute__((unused)) __device__
#define _CUDA_AWBARRIER_STATIC_QUALIFIER static inline __device__
#define _CUDA_AWBARRIER_MAX_COUNT ((1 << 20) - 1)

typedef uint64_t __mbarrier_type__;
typedef uint64_t __mbarrier_token_type__;

namespace nvcuda {
namespace experimental {

_CUDA_AWBARRIER_QUALIFIER uint32_t __heddle_shared_address(const void *shared) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}

} // namespace experimental
} // namespace nvcuda

#endif
