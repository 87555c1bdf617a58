// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both steps in one pass over memory: as soon as three rows of the first step are there, in the
// cache, a row of the second follows, written past the caches. Input is fetched long before it is
// needed. A thread has a band of rows, and computes one row of the first step above and below it,
// which its neighbours compute too.
#include "common/stream.h"
#include "problem.h"
#include <omp.h>

using bench::Floats, bench::lanes;

constexpr int ahead = 4096; // elements

// A row of the next step; the first and the last point are those of `row`.
template <class Store>
static inline void stepRow(const float *above, const float *row, const float *below, int width,
                           Store &&store) {
  const auto mean = [&](int x) {
    return 0.25f * (bench::load(row + x - 1) + bench::load(row + x + 1) + bench::load(above + x) +
                    bench::load(below + x));
  };
  Floats first = mean(0); // reads before the row, where the caller has memory
  first[0] = row[0];
  store(0, first);
  const int last = width - int(lanes);
  for (int x = int(lanes); x < last; x += int(lanes))
    store(x, mean(x));
  Floats end = mean(last);
  end[lanes - 1] = row[width - 1];
  store(last, end);
}

// The rows [begin, end) of the result, all of them inner rows.
// `ring` has room for three rows of the first step, each with a vector on both sides.
static void twoSteps(const float *in, float *out, float *ring, int width, int height, int begin,
                     int end) {
  const int padded = width + 2 * int(lanes);
  const auto between = [&](int y) { return ring + y % 3 * padded + lanes; };
  for (int y = begin - 1; y <= end; ++y) {
    const float *row = in + std::size_t(y) * width;
    float *next = between(y);
    if (y == 0 || y == height - 1)
      std::copy_n(row, width, next);
    else
      stepRow(row - width, row, row + width, width, [&](int x, Floats values) {
        __builtin_prefetch(row + width + x + ahead);
        bench::store(next + x, values);
      });
    if (y <= begin)
      continue;
    float *result = out + std::size_t(y - 1) * width;
    stepRow(between(y - 2), between(y - 1), between(y), width,
            [&](int x, Floats values) { bench::storeStreaming(result + x, values); });
  }
  __builtin_ia32_sfence();
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const jacobi::Problem problem(options);
  const int width = problem.width, height = problem.height;
  const std::size_t ringSize = 3 * (width + 2 * lanes) + 1024; // with some distance between threads
  bench::Buffer<float> out(problem.elements()), rings(ringSize * omp_get_max_threads());
  std::copy_n(problem.grid.data(), problem.elements(), out.data());

  return bench::measure(
      options, jacobi::name, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel
        {
          const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
          const int rows = height - 2;
          const int begin = 1 + rows * thread / threads, end = 1 + rows * (thread + 1) / threads;
          if (begin < end)
            twoSteps(problem.grid.data(), out.data(), rings.data() + thread * ringSize, width,
                     height, begin, end);
        }
      },
      [&] { return problem.check(out); });
}
