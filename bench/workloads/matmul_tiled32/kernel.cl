// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TILE is 32.
#include "../matmul_tiled16/kernel.cl"
