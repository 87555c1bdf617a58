// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const image_rotation::Problem problem(options);
  const int width = problem.width, height = problem.height;
  const float cosine = problem.cosine, sine = problem.sine;
  bench::Buffer<float> result(problem.image.size());
  float *out = result.data();
  const float *in = problem.image.data();

  return bench::measure(
      options, image_rotation::name, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel for
        for (int y = 0; y < height; ++y) {
          const float v = float(y - height / 2) + 0.5f;
#pragma omp simd
          for (int x = 0; x < width; ++x) {
            const float u = float(x - width / 2) + 0.5f;
            const float px = u * cosine - v * sine + float(width / 2) - 0.5f;
            const float py = u * sine + v * cosine + float(height / 2) - 0.5f;
            const float fx = std::floor(px), fy = std::floor(py);
            const float a = px - fx, b = py - fy;
            const int i = int(fx), j = int(fy);
            const int left = std::min(std::max(i, 0), width - 1);
            const int right = std::min(std::max(i + 1, 0), width - 1);
            const int upper = std::min(std::max(j, 0), height - 1) * width;
            const int lower = std::min(std::max(j + 1, 0), height - 1) * width;
            const float above = in[upper + left] + a * (in[upper + right] - in[upper + left]);
            const float below = in[lower + left] + a * (in[lower + right] - in[lower + left]);
            out[y * width + x] = above + b * (below - above);
          }
        }
      },
      [&] { return problem.check(result); });
}
