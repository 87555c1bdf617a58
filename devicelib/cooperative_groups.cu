// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of CUDA's device runtime library compilers call for grid groups: Numba's
// cuda.cg.this_grid().sync() becomes calls of these two. A group's handle is its scope.
#include "common.h"

using namespace heddle;

extern "C" __device__ void __heddle_grid_sync();

#ifdef __CUDA__
HEDDLE_API u64 cudaCGGetIntrinsicHandle(u32 scope) { return scope; }

// Returns a cudaError_t: there is no group of several devices (cudaErrorNotSupported).
HEDDLE_API u32 cudaCGSynchronize(u64 handle, u32 flags) {
  constexpr u64 grid_scope = 1;
  if (handle != grid_scope)
    return 801;
  __heddle_grid_sync();
  return 0;
}
#endif
