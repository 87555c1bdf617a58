// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parallel algorithm of the C++ library, on oneTBB.
#include "problem.h"

#include <algorithm>
#include <execution>

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const thrust_select::Problem problem(options);
  const int *values = problem.values.data();
  bench::Buffer<int> result(problem.n);
  std::size_t count = 0;
  return bench::measure(
      options, thrust_select::name, problem.bytes(), problem.flops(),
      [&] {
        count = std::copy_if(std::execution::par_unseq, values, values + problem.n, result.data(),
                             [](int value) { return value > thrust_select::bound; }) -
                result.data();
      },
      [&] { return problem.check(result, count); });
}
