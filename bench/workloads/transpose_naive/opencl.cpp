// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

constexpr std::size_t side = 16, groupRows = 16;

#include "common/transpose_opencl.h"
