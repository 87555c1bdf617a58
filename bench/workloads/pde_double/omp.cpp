// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

using pde_double::center, pde_double::far, pde_double::near, pde_double::Problem;

/// `next` may be `before`.
static void advance(double *next, const double *before, const double *now, const Problem &problem) {
  const int size = problem.size, pitch = problem.pitch, plane = int(problem.plane());
#pragma omp parallel for collapse(2)
  for (int z = 0; z < size; ++z)
    for (int y = 0; y < size; ++y) {
      const std::size_t row = problem.at(0, y, z);
      const double *u = now + row, *old = before + row;
      double *result = next + row;
#pragma omp simd
      for (int x = 0; x < size; ++x) {
        const double around1 =
            u[x - 1] + u[x + 1] + u[x - pitch] + u[x + pitch] + u[x - plane] + u[x + plane];
        const double around2 = u[x - 2] + u[x + 2] + u[x - 2 * pitch] + u[x + 2 * pitch] +
                               u[x - 2 * plane] + u[x + 2 * plane];
        result[x] = (2 + 3 * center) * u[x] - old[x] + near * around1 + far * around2;
      }
    }
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const Problem problem(options);
  bench::Buffer<double> even_buffer(problem.points()), odd_buffer(problem.points());
  double *even = even_buffer.data(), *odd = odd_buffer.data();

  const auto run = [&] {
    advance(even, problem.before.data(), problem.now.data(), problem);
    advance(odd, problem.now.data(), even, problem);
    for (int i = 2; i < problem.steps; i += 2) {
      advance(even, even, odd, problem);
      advance(odd, odd, even, problem);
    }
  };
  return bench::measure(options, pde_double::name, problem.bytes(), problem.flops(), run,
                        [&] { return problem.check(odd_buffer); });
}
