// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diffusion in a cube: a step of the 7-point stencil, by blocks of 8 x 8 x 8 threads. Cells at the
// surface stay as they are.
#pragma once

#include "common/data.h"
#include "common/measure.h"

namespace diffusion {

constexpr const char *name = "blocks8x8x8";
constexpr float centre = 0.4f, neighbour = 0.1f;

struct Problem {
  int side; // a multiple of 16
  bench::Buffer<float> cells;

  explicit Problem(const bench::Options &options) : side(options.small ? 48 : 256), cells(count()) {
    for (std::size_t i = 0; i < count(); ++i)
      cells[i] = bench::randomUnit(i);
  }

  std::size_t count() const { return std::size_t(side) * side * side; }
  double bytes() const { return 2.0 * sizeof(float) * double(count()); }
  double flops() const { return 8.0 * double(count()); }

  std::string check(const bench::Buffer<float> &result) const {
    const std::size_t row = side, plane = row * row;
    for (std::size_t i = 0; i < count(); ++i) {
      double expected = cells[i];
      if (inner(int(i % row)) && inner(int(i / row % row)) && inner(int(i / plane)))
        expected = double(centre) * cells[i] +
                   double(neighbour) * (double(cells[i - 1]) + cells[i + 1] + cells[i - row] +
                                        cells[i + row] + cells[i - plane] + cells[i + plane]);
      if (!bench::close(result[i], expected, 1e-6))
        return bench::wrong("cell " + std::to_string(i), result[i], expected);
    }
    return "";
  }

  bool inner(int coordinate) const { return coordinate > 0 && coordinate < side - 1; }
};

} // namespace diffusion
