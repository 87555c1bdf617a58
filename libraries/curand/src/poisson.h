// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Poisson numbers are made with.
#pragma once
#include "generator.h"

namespace heddle::curand {

constexpr double MaxMean = 400000;

/// How a generator makes Poisson numbers of a mean.
PoissonWay wayOf(curandRngType_t type, double mean);

/// Whether a table of the mean can be made.
bool hasTable(double mean);

/// The table of one mean, in memory that kernels and the host can read.
struct PoissonTable {
  PoissonTable() = default;
  PoissonTable(const PoissonTable &) = delete;
  PoissonTable &operator=(const PoissonTable &) = delete;
  ~PoissonTable(); // waits for kernels that read it

  double mean = 0;
  PoissonWay way = PoissonWay::Table;
  curandDiscreteDistribution_t distribution = nullptr;
  // The distribution function of the numbers from `first` on.
  double *sums = nullptr;
  unsigned first = 0, length = 0;
};

curandStatus_t makeTable(const char *function, double mean, PoissonWay way,
                         std::shared_ptr<PoissonTable> &table);

} // namespace heddle::curand
