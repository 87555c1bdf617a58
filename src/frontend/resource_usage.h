// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels need, as `nvcc -Xptxas -v` and `ptxas -v` print it; build scripts, and programs that
// compile at run time, read these lines. The registers are an estimate.
#pragma once

#include "module/image/image.h"

namespace heddle::frontend {

/// On stderr. `max_registers`: the most that a kernel may have, or 0.
void printResourceUsage(const ImageInfo &info, uint32_t max_registers);

} // namespace heddle::frontend
