// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main() of all reduce workloads' best variants, which define `workload`, their name.
//
// Eight vectors of sums, so that additions need not wait for each other, and prefetching: one core
// reaches the memory's bandwidth only with many lines on their way.
#pragma once

#include "common/reduce.h"
#include "common/stream.h"

namespace reduce {

inline float sum(const float *values, std::size_t n) {
  constexpr int sums = 8;
  constexpr std::size_t step = sums * bench::lanes, line = 16, ahead = 2048;
  const std::size_t whole = n / step * step;
  float total = 0;
#pragma omp parallel reduction(+ : total)
  {
    bench::Floats parts[sums] = {};
#pragma omp for nowait
    for (std::size_t i = 0; i < whole; i += step) {
      for (std::size_t j = i; j < i + step; j += line)
        __builtin_prefetch(values + j + ahead);
      for (int j = 0; j < sums; ++j)
        parts[j] += bench::load(values + i + j * bench::lanes);
    }
    for (int j = 1; j < sums; ++j)
      parts[0] += parts[j];
    for (std::size_t lane = 0; lane < bench::lanes; ++lane)
      total += parts[0][lane];
  }
  for (std::size_t i = whole; i < n; ++i)
    total += values[i];
  return total;
}

} // namespace reduce

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const reduce::Problem problem(options);
  float sum = 0;
  return bench::measure(
      options, workload, problem.bytes(), 0,
      [&] { sum = reduce::sum(problem.values.data(), problem.n); },
      [&] { return problem.check(sum); });
}
