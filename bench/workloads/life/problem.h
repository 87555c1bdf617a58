// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conway's Game of Life, a byte a cell, on a field whose opposite edges meet: small integers, and a
// neighbourhood in two dimensions.
#pragma once

#include "common/data.h"
#include "common/measure.h"
#include <algorithm>

namespace life {

constexpr const char *name = "life";
using Cell = std::uint8_t; // 1: alive, 0: dead

struct Problem {
  int width, height, generations; // an even number of generations
  bench::Buffer<Cell> start;

  explicit Problem(const bench::Options &options)
      : width(options.small ? 203 : 2048), height(options.small ? 101 : 1024),
        generations(options.small ? 4 : 16), start(std::size_t(width) * height) {
    for (std::size_t i = 0; i < start.size(); ++i)
      start[i] = bench::randomBits(i) % 3 == 0;
  }

  std::size_t cells() const { return start.size(); }
  double bytes() const { return 2.0 * sizeof(Cell) * double(cells()); }
  double flops() const { return 0; }

  std::string check(const bench::Buffer<Cell> &result) const {
    bench::Buffer<Cell> field(cells()), next(cells());
    std::copy(start.data(), start.data() + cells(), field.data());
    for (int generation = 0; generation < generations; ++generation) {
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
          next[at(x, y)] = lives(field, x, y);
      std::swap_ranges(field.begin(), field.end(), next.begin());
    }
    for (std::size_t i = 0; i < cells(); ++i)
      if (result[i] != field[i])
        return bench::wrong("cell " + std::to_string(i), result[i], field[i]);
    return "";
  }

private:
  std::size_t at(int x, int y) const { return std::size_t(y) * width + x; }

  bool lives(const bench::Buffer<Cell> &field, int x, int y) const {
    const int rows[] = {(y + height - 1) % height, y, (y + 1) % height};
    const int columns[] = {(x + width - 1) % width, x, (x + 1) % width};
    int alive = 0; // of nine
    for (const int row : rows)
      for (const int column : columns)
        alive += field[at(column, row)];
    return alive == 3 || (alive == 4 && field[at(x, y)]);
  }
};

} // namespace life
