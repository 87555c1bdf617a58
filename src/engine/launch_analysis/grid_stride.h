// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds kernels that go over arrays in steps of the whole grid:
//
//     for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
//       y[i] = f(x[i]);
//
// A GPU likes such a loop, for it makes do with few blocks. On a CPU it spreads each thread's few
// accesses over all of memory. But if nothing is carried from round to round, and the arrays do not
// overlap, each element may as well have a thread of its own: the same code, launched with as many
// blocks as there are elements for.
#pragma once

#include "engine/simd/launch/facts.h"
#include "module/image.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// `kernel` has its parameters' places already. No arrays: the kernel is not like that.
GridStride gridStride(llvm::Function &function, const KernelInfo &kernel);

} // namespace heddle::engine::simd
