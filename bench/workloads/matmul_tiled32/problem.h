// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of 32 x 32 threads, otherwise as matmul_tiled16.
#pragma once

#define TILE 32
#include "../matmul_tiled16/problem.h"
