// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parallel algorithm of the C++ library, on oneTBB, of keys with their values beside them.
#include "problem.h"

#include <algorithm>
#include <execution>

int main(int argc, char **argv) {
  struct Pair {
    std::uint32_t key, value;
  };
  const bench::Options options(argc, argv);
  const thrust_sort_by_key::Problem problem(options);
  bench::Buffer<Pair> pairs(problem.n);
  return bench::measure(
      options, thrust_sort_by_key::name, problem.bytes(), problem.flops(),
      [&] {
        for (std::size_t i = 0; i < problem.n; ++i)
          pairs[i] = {problem.keys[i], problem.values[i]};
        std::sort(std::execution::par_unseq, pairs.begin(), pairs.end(),
                  [](const Pair &a, const Pair &b) { return a.key < b.key; });
      },
      [&] {
        return problem.check([&](std::size_t i) { return pairs[i].key; },
                             [&](std::size_t i) { return pairs[i].value; });
      });
}
