// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main() of both reduce workloads' OpenMP variants, and of their best ones: Clang keeps several
// vectors of sums, so that additions need not wait for each other, and memory is the limit; more of
// them, and fetching lines ahead, were no faster on a Zen 5. They define `workload`, their name.
#pragma once

#include "common/reduce.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const reduce::Problem problem(options);
  const std::size_t n = problem.n;
  const float *values = problem.values.data();
  float sum = 0;

  return bench::measure(
      options, workload, problem.bytes(), 0,
      [&] {
        sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
        for (std::size_t i = 0; i < n; ++i)
          sum += values[i];
      },
      [&] { return problem.check(sum); });
}
