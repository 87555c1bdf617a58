// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread for each element of the product, which reads its row and its column from global memory.
#pragma once

#include "common/matmul.h"

constexpr const char *workload = "matmul_naive";
