// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As matmul_naive, but threadIdx.x numbers rows, as in many first programs: threads of a warp read
// the matrices down columns.
#pragma once

#include "common/matmul.h"

constexpr const char *workload = "matmul_rows_on_x";
