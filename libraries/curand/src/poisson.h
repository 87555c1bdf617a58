// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "generator.h"

namespace heddle::curand {

constexpr double MaxMean = 400000;

/// Whether numbers of this mean come from a table; others are rounded normal numbers.
bool hasTable(double mean);

/// A distribution that kernels and the host can read; cudaFree destroys it.
curandStatus_t makePoisson(const char *function, double mean,
                           curandDiscreteDistribution_t *distribution);

} // namespace heddle::curand
