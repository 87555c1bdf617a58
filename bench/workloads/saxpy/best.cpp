// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every line of y is read anyway, so ordinary stores are right: they write it once. What helps is
// to have more lines on their way than the hardware prefetchers ask for.
#include "common/stream.h"
#include "problem.h"

constexpr std::size_t ahead = 1024; // elements

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  saxpy::Problem problem(options);
  const std::size_t n = problem.n, whole = n / 16 * 16;
  const float *x = problem.x.data();
  float *y = problem.y.data();

  return bench::measure(
      options, saxpy::name, problem.bytes(), problem.flops(),
      [&] {
        const float a = problem.a;
#pragma omp parallel for
        for (std::size_t i = 0; i < whole; i += 16) { // a cache line
          __builtin_prefetch(x + i + ahead);
          __builtin_prefetch(y + i + ahead, 1);
          for (std::size_t j = i; j < i + 16; j += bench::lanes)
            bench::store(y + j, bench::splat(a) * bench::load(x + j) + bench::load(y + j));
        }
        for (std::size_t i = whole; i < n; ++i)
          y[i] = a * x[i] + y[i];
        problem.ran();
      },
      [&] { return problem.check(problem.y); });
}
