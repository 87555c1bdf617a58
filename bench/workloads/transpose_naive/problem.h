// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread copies one element: reads are in order, writes go down a column.
#pragma once

#include "common/transpose.h"

constexpr const char *workload = "transpose_naive";
