// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread sums its part; then it scans it, beginning with the sum of the parts before.
#include "problem.h"
#include <omp.h>
#include <vector>

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const scan::Problem problem(options);
  const std::size_t n = problem.n;
  const std::uint32_t *in = problem.in.data();
  bench::Buffer<std::uint32_t> result(n);
  std::uint32_t *out = result.data();
  std::vector<std::uint32_t> sums(omp_get_max_threads());

  const auto run = [&] {
#pragma omp parallel
    {
      const std::size_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
      const std::size_t begin = n * thread / threads, end = n * (thread + 1) / threads;
      std::uint32_t sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::size_t i = begin; i < end; ++i)
        sum += in[i];
      sums[thread] = sum;
#pragma omp barrier
      sum = 0;
      for (std::size_t t = 0; t < thread; ++t)
        sum += sums[t];
      for (std::size_t i = begin; i < end; ++i) {
        out[i] = sum;
        sum += in[i];
      }
    }
  };
  return bench::measure(options, scan::name, problem.bytes(), problem.flops(), run,
                        [&] { return problem.check(result); });
}
