// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid-stride loop, warp shuffles, one more warp over the block's warps, and an atomic addition
// for each block.
#pragma once

#include "common/reduce.h"

constexpr const char *workload = "reduce_shuffle";
