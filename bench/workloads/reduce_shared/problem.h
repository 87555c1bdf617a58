// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree in shared memory: half of the threads add the other half's sums, then a quarter, and so
// on, with a barrier after each step. Launched again over the blocks' sums until one is left.
#pragma once

#include "common/reduce.h"

constexpr const char *workload = "reduce_shared";
