// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of 16 x 16 threads, which bring tiles of the factors to shared memory. matmul_tiled32
// includes the sources of this folder with a larger TILE.
#pragma once

#include "common/matmul.h"

#ifdef TILE
constexpr const char *workload = "matmul_tiled32";
#else
#define TILE 16
constexpr const char *workload = "matmul_tiled16";
#endif
