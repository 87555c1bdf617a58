// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread computes 4 x 4 elements of the product in registers; its block, a tile of 64 x 64.
#pragma once

#include "common/matmul.h"

constexpr const char *workload = "matmul_register";
