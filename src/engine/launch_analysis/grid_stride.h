// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds kernels that traverse arrays in grid-stride loops:
//
//     for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
//       y[i] = f(x[i]);
//
// On a GPU such a loop needs few blocks. On a CPU it spreads each thread's accesses over all of
// memory. But if nothing is carried between iterations and the arrays do not overlap, each element
// may have a thread of its own: the same code, launched with as many blocks as there are elements.
#pragma once

#include "engine/simd/launch/facts.h"
#include "module/image/image.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Expects the parameters' offsets in `kernel`. No arrays: the kernel does not qualify.
GridStride gridStride(llvm::Function &function, const KernelInfo &kernel);

} // namespace heddle::engine::simd
