// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parallel algorithm of the C++ library, on oneTBB.
#include "problem.h"

#include <execution>
#include <functional>
#include <numeric>

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const thrust_scan::Problem problem(options);
  const int *values = problem.values.data();
  bench::Buffer<int> result(problem.n);
  return bench::measure(
      options, thrust_scan::name, problem.bytes(), problem.flops(),
      [&] {
        std::inclusive_scan(std::execution::par_unseq, values, values + problem.n, result.data(),
                            std::plus<>());
      },
      [&] { return problem.check(result); });
}
