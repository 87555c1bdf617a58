// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parallel algorithm of the C++ library, on oneTBB.
#include "problem.h"

#include <execution>
#include <numeric>

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const thrust_reduce::Problem problem(options);
  const int *values = problem.values.data();
  int sum = 0;
  return bench::measure(
      options, thrust_reduce::name, problem.bytes(), problem.flops(),
      [&] { sum = std::reduce(std::execution::par_unseq, values, values + problem.n); },
      [&] { return problem.check(sum); });
}
