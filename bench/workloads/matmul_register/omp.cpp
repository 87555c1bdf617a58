// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

constexpr int tile = 64;

#include "common/matmul_omp.h"
