// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main() of both transpose workloads' OpenMP variants, which define `workload`, their name,
// `side`, and transposeTile(): how they transpose a part of at most side x side elements.
#pragma once

#include "common/transpose.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const transpose::Problem problem(options);
  const int width = problem.width, height = problem.height;
  bench::Buffer<float> output(problem.elements());
  const float *in = problem.input.data();
  float *out = output.data();

  return bench::measure(
      options, workload, problem.bytes(), 0,
      [&] {
#pragma omp parallel for
        for (int y = 0; y < height; y += side)
          for (int x = 0; x < width; x += side) {
            const int columns = std::min(side, width - x), rows = std::min(side, height - y);
            if (columns == side && rows == side) // with loops of known length
              transposeTile(in + y * width + x, out + x * height + y, width, height, side, side);
            else
              transposeTile(in + y * width + x, out + x * height + y, width, height, columns, rows);
          }
      },
      [&] { return problem.check(output); });
}
