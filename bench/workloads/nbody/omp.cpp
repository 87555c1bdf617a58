// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const nbody::Problem problem(options);
  const int n = int(problem.n);
  const nbody::Float4 *bodies = problem.bodies.data();
  bench::Buffer<nbody::Float4> accelerations(problem.n);
  // Coordinates apart from each other, so that neighbours in memory are neighbours in a vector.
  bench::Buffer<float> xs(problem.n), ys(problem.n), zs(problem.n), masses(problem.n);
  float *x = xs.data(), *y = ys.data(), *z = zs.data(), *mass = masses.data();

  const auto run = [&] {
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
      x[i] = bodies[i].x;
      y[i] = bodies[i].y;
      z[i] = bodies[i].z;
      mass[i] = bodies[i].w;
    }
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
      const float own_x = x[i], own_y = y[i], own_z = z[i];
      float sum_x = 0, sum_y = 0, sum_z = 0;
#pragma omp simd reduction(+ : sum_x, sum_y, sum_z)
      for (int j = 0; j < n; ++j) {
        const float dx = x[j] - own_x, dy = y[j] - own_y, dz = z[j] - own_z;
        const float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + nbody::softening);
        const float strength = mass[j] * inverse * inverse * inverse;
        sum_x += dx * strength;
        sum_y += dy * strength;
        sum_z += dz * strength;
      }
      accelerations[i] = {sum_x, sum_y, sum_z, 0};
    }
  };
  return bench::measure(options, nbody::name, problem.bytes(), problem.flops(), run,
                        [&] { return problem.check(accelerations); });
}
