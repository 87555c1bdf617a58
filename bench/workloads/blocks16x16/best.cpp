// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions are what costs. The processor's estimate of a reciprocal (14 bits) and one step of
// Newton's method are enough for single precision but the last bit, and several times as fast. Each
// thread copies the rows that it is at, with their ends continued, so that all pixels are alike.
#include "common/stream.h"
#include "problem.h"
#include <immintrin.h>

using bench::Floats, bench::lanes;
using smoothing::radius, smoothing::size, smoothing::sharpness;

static inline Floats reciprocal(Floats x) {
#if defined(__AVX512F__)
  const Floats estimate = _mm512_rcp14_ps(x);
  return estimate * (2 - x * estimate);
#else
  return 1 / x;
#endif
}

static inline Floats smoothPixels(const float *const (&rows)[size], const float *closeness, int x) {
  const Floats own = bench::load(rows[radius] + x);
  Floats sum{}, weights{};
  for (int j = 0; j < size; ++j)
#pragma clang loop unroll(full)
    for (int i = 0; i < size; ++i) {
      const Floats value = bench::load(rows[j] + x + i - radius), difference = value - own;
      const Floats weight =
          closeness[j * size + i] * reciprocal(1 + difference * difference * sharpness);
      sum = weight * value + sum;
      weights += weight;
    }
  return sum * reciprocal(weights);
}

// Rows of the image with their ends continued, for one thread, which goes from row to row.
class Rows {
public:
  explicit Rows(const smoothing::Problem &problem)
      : problem(problem), stride(problem.width + 2 * std::size_t(radius) + lanes),
        copies(size * stride) {}

  const float *get(int y) {
    y = std::clamp(y, 0, problem.height - 1);
    float *row = copies.data() + y % size * stride + radius;
    if (held[y % size] == y)
      return row;
    held[y % size] = y;
    const float *source = problem.image.data() + std::size_t(y) * problem.width;
    std::copy_n(source, problem.width, row);
    for (int i = 1; i <= radius; ++i) {
      row[-i] = row[0];
      row[problem.width - 1 + i] = row[problem.width - 1];
    }
    return row;
  }

private:
  const smoothing::Problem &problem;
  std::size_t stride;
  bench::Buffer<float> copies;
  int held[size] = {-1, -1, -1, -1, -1};
};

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const smoothing::Problem problem(options);
  const int width = problem.width, height = problem.height;
  bench::Buffer<float> result(problem.elements());

  return bench::measure(
      options, smoothing::name, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel
        {
          Rows image(problem);
#pragma omp for
          for (int y = 0; y < height; ++y) {
            const float *rows[size];
            for (int j = 0; j < size; ++j)
              rows[j] = image.get(y + j - radius);
            float *out = result.data() + std::size_t(y) * width;
            int x = 0;
            for (; x + int(lanes) <= width; x += int(lanes))
              bench::store(out + x, smoothPixels(rows, problem.closeness, x));
            if (x < width) {
              const Floats rest = smoothPixels(rows, problem.closeness, x);
              std::memcpy(out + x, &rest, (width - x) * sizeof(float));
            }
          }
        }
      },
      [&] { return problem.check(result); });
}
