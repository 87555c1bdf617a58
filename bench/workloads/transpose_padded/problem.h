// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Through a tile in shared memory, so that reads and writes are in order, with a column more than
// it needs, so that a column of the tile is in different banks.
#pragma once

#include "common/transpose.h"

constexpr const char *workload = "transpose_padded";
