// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

static void diffuseRow(const float *in, float *out, int side) {
  const int plane = side * side;
  out[0] = in[0];
#pragma omp simd
  for (int x = 1; x < side - 1; ++x)
    out[x] = diffusion::centre * in[x] +
             diffusion::neighbour * (in[x - 1] + in[x + 1] + in[x - side] + in[x + side] +
                                     in[x - plane] + in[x + plane]);
  out[side - 1] = in[side - 1];
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
#pragma omp parallel for collapse(2)
        for (int z = 0; z < side; ++z)
          for (int y = 0; y < side; ++y) {
            const int row = (z * side + y) * side;
            if (problem.inner(y) && problem.inner(z))
              diffuseRow(in + row, out + row, side);
            else
              std::copy_n(in + row, side, out + row);
          }
      },
      [&] { return problem.check(result); });
}
