// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

#include "common/matmul_opencl.h"
