// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector of bodies at a time, several vectors against each other body, so that one load of it
// serves them all and no sum crosses lanes. The inverse square root is the processor's estimate,
// corrected to first order.
#include "common/stream.h"
#include "problem.h"
#include <immintrin.h>

using bench::Floats, bench::lanes, bench::splat;
using nbody::Float4;

/// At least 11 bits of 1 / sqrt(x).
static Floats estimateInverseRoot(Floats x) {
#if defined(__AVX512F__)
  return _mm512_rsqrt14_ps(x);
#elif defined(__AVX__)
  return _mm256_rsqrt_ps(x);
#else
  return _mm_rsqrt_ps(x);
#endif
}

constexpr int vectors = bench::vectorBytes == 64 ? 4 : 2; // what the registers hold
constexpr std::size_t group = vectors * lanes;

/// What all bodies pull at the bodies [first, first + group).
static void accelerateGroup(const Float4 *bodies, std::size_t n, std::size_t first,
                            Float4 *accelerations) {
  Floats x[vectors], y[vectors], z[vectors];
  Floats sum_x[vectors] = {}, sum_y[vectors] = {}, sum_z[vectors] = {};
  for (std::size_t k = 0; k < group; ++k) {
    const Float4 body = first + k < n ? bodies[first + k] : Float4();
    x[k / lanes][k % lanes] = body.x;
    y[k / lanes][k % lanes] = body.y;
    z[k / lanes][k % lanes] = body.z;
  }
  for (std::size_t j = 0; j < n; ++j) {
    const Floats other_x = splat(bodies[j].x), other_y = splat(bodies[j].y),
                 other_z = splat(bodies[j].z), mass = splat(bodies[j].w);
    for (int v = 0; v < vectors; ++v) {
      const Floats dx = other_x - x[v], dy = other_y - y[v], dz = other_z - z[v];
      const Floats square = dx * dx + (dy * dy + (dz * dz + nbody::softening));
      const Floats guess = estimateInverseRoot(square);
      // With e = 1 - s guess^2 being small, s^(-3/2) = guess^3 (1 - e)^(-3/2) = guess^3 (1 + 1.5
      // e).
      const Floats guess2 = guess * guess;
      const Floats correction = 2.5f - 1.5f * (square * guess2);
      const Floats strength = (mass * guess) * guess2 * correction;
      sum_x[v] += dx * strength;
      sum_y[v] += dy * strength;
      sum_z[v] += dz * strength;
    }
  }
  for (std::size_t k = 0; k < group && first + k < n; ++k)
    accelerations[first + k] = {sum_x[k / lanes][k % lanes], sum_y[k / lanes][k % lanes],
                                sum_z[k / lanes][k % lanes], 0};
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const nbody::Problem problem(options);
  bench::Buffer<Float4> accelerations(problem.n);
  return bench::measure(
      options, nbody::name, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel for
        for (std::size_t first = 0; first < problem.n; first += group)
          accelerateGroup(problem.bodies.data(), problem.n, first, accelerations.data());
      },
      [&] { return problem.check(accelerations); });
}
