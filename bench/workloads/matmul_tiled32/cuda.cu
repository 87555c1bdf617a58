// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

#include "../matmul_tiled16/cuda.cu"
