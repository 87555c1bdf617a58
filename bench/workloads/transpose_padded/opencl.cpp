// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

constexpr std::size_t side = 32, groupRows = 8;

#include "common/transpose_opencl.h"
