// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three planes fit the L2 cache, so each cell comes from memory once. It is fetched long before it
// is needed, and results are written past the caches.
#include "common/stream.h"
#include "problem.h"

using bench::Floats, bench::lanes;

constexpr int ahead = 16; // rows

static inline void diffuseRow(const float *in, float *out, int side) {
  const int plane = side * side;
  for (int x = 0; x < side; x += int(lanes)) {
    // The first and the last vector read beyond the row; it is not one at the surface of the cube.
    const float *p = in + x;
    __builtin_prefetch(p + plane + ahead * side);
    Floats values = diffusion::centre * bench::load(p) +
                    diffusion::neighbour *
                        (bench::load(p - 1) + bench::load(p + 1) + bench::load(p - side) +
                         bench::load(p + side) + bench::load(p - plane) + bench::load(p + plane));
    if (x == 0)
      values[0] = p[0];
    if (x + int(lanes) == side)
      values[lanes - 1] = p[lanes - 1];
    bench::storeStreaming(out + x, values);
  }
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const diffusion::Problem problem(options);
  const int side = problem.side;
  bench::Buffer<float> result(problem.count());
  const float *in = problem.cells.data();
  float *out = result.data();

  return bench::measure(
      options, diffusion::name, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel
        {
#pragma omp for collapse(2) nowait
          for (int z = 0; z < side; ++z)
            for (int y = 0; y < side; ++y) {
              const int row = (z * side + y) * side;
              if (problem.inner(y) && problem.inner(z))
                diffuseRow(in + row, out + row, side);
              else
                std::copy_n(in + row, side, out + row);
            }
          __builtin_ia32_sfence();
        }
      },
      [&] { return problem.check(result); });
}
