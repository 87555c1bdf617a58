// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main() of both transpose workloads' best variants, which define `workload`, their name.
//
// Squares as wide as a register are transposed in registers, by exchanging halves between rows,
// then quarters, and so on. Each of their output rows is written past the caches, as a whole cache
// line.
#pragma once

#include "common/stream.h"
#include "common/transpose.h"
#include <utility>

namespace transpose {

using bench::Floats;
constexpr int side = int(bench::lanes);

// Interleaves runs of `Run` elements of a and b: of their even runs, or of their odd ones.
template <int Run, bool Odd, int... Lane>
Floats interleave(Floats a, Floats b, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(
      a, b, (Lane / Run % 2 ? Lane + side - (Odd ? 0 : Run) : Lane + (Odd ? Run : 0))...);
}

template <int Run> void exchange(Floats (&rows)[side]) {
  constexpr std::make_integer_sequence<int, side> all{};
  for (int i = 0; i < side; ++i)
    if (i / Run % 2 == 0) {
      const Floats a = rows[i], b = rows[i + Run];
      rows[i] = interleave<Run, false>(a, b, all);
      rows[i + Run] = interleave<Run, true>(a, b, all);
    }
  if constexpr (Run * 2 < side)
    exchange<Run * 2>(rows);
}

inline void transposeSquare(const float *in, int width, float *out, int height) {
  Floats rows[side];
  for (int i = 0; i < side; ++i)
    rows[i] = bench::load(in + std::size_t(i) * width);
  exchange<1>(rows);
  for (int i = 0; i < side; ++i)
    bench::storeStreaming(out + std::size_t(i) * height, rows[i]);
}

inline void run(const float *in, int width, int height, float *out) {
  constexpr int ahead = 64; // elements
  const bool aligned = height % side == 0;
  const int wholeX = aligned ? width / side * side : 0, wholeY = aligned ? height : 0;
#pragma omp parallel
  {
#pragma omp for nowait
    for (int y = 0; y < wholeY; y += side)
      for (int x = 0; x < wholeX; x += side) {
        const float *square = in + std::size_t(y) * width + x;
        for (int i = 0; i < side; ++i)
          __builtin_prefetch(square + std::size_t(i) * width + ahead);
        transposeSquare(square, width, out + std::size_t(x) * height + y, height);
      }
    __builtin_ia32_sfence();
#pragma omp for
    for (int x = wholeX; x < width; ++x)
      for (int y = 0; y < height; ++y)
        out[std::size_t(x) * height + y] = in[std::size_t(y) * width + x];
  }
}

} // namespace transpose

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const transpose::Problem problem(options);
  bench::Buffer<float> output(problem.elements());
  return bench::measure(
      options, workload, problem.bytes(), 0,
      [&] { transpose::run(problem.input.data(), problem.width, problem.height, output.data()); },
      [&] { return problem.check(output); });
}
