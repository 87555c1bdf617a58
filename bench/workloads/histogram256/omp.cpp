// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread counts for itself. Nothing here can be vectorised.
#include "problem.h"

using histogram::bins;

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const histogram::Problem problem(options);
  const std::size_t n = problem.n;
  const unsigned char *values = problem.values.data();
  unsigned counts[bins];

  return bench::measure(
      options, histogram::name, problem.bytes(), 0,
      [&] {
        std::fill(counts, counts + bins, 0u);
#pragma omp parallel for reduction(+ : counts)
        for (std::size_t i = 0; i < n; ++i)
          ++counts[values[i]];
      },
      [&] { return problem.check(counts); });
}
