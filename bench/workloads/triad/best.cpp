// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streaming stores: an output that is not read again is written past the caches, so that its lines
// need not be fetched from memory before they are overwritten.
#include "common/stream.h"
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const triad::Problem problem(options);
  bench::Buffer<float> result(problem.n);
  float *a = result.data();
  const float *b = problem.b.data(), *c = problem.c.data();

  return bench::measure(
      options, triad::name, problem.bytes(), problem.flops(),
      [&] {
        bench::stream(
            a, problem.n,
            [&](std::size_t i) {
              return bench::load(b + i) + bench::splat(triad::scalar) * bench::load(c + i);
            },
            [&](std::size_t i) { return b[i] + triad::scalar * c[i]; });
      },
      [&] { return problem.check(result); });
}
