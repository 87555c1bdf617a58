// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wave equation in three dimensions, in double: steps of fourth order in space and second order
// in time. A stencil that reads much more than it computes, in the larger of the two precisions.
#pragma once

#include "common/data.h"
#include "common/measure.h"
#include <algorithm>

namespace pde_double {

constexpr const char *name = "pde_double";
constexpr int radius = 2; // of the stencil: cells on each side

// The second derivative by differences of fourth order, in one direction: center u0 +
// near (u1 + u-1) + far (u2 + u-2). The factor (velocity * time step / grid spacing)^2 is in them;
// a step then is 2 u - (u before) + the derivatives in all three directions.
constexpr double courantSquared = 0.16;
constexpr double center = -5.0 / 2 * courantSquared, near = 4.0 / 3 * courantSquared,
                 far = -1.0 / 12 * courantSquared;

struct Problem {
  int size, steps; // size: points in each direction, without the border; an even number of steps
  int pitch;       // points from a row's begin to that of the next
  bench::Buffer<double> before, now;

  explicit Problem(const bench::Options &options)
      : size(options.small ? 35 : 128), steps(4), pitch(size + 2 * radius), before(points()),
        now(points()) {
    // Two states of a wave that has random heights inside and is 0 on the border, where it stays 0.
    for (int z = 0; z < size; ++z)
      for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
          const std::size_t i = at(x, y, z);
          now[i] = bench::randomUnit(i);
          before[i] = now[i] - 0.1 * bench::randomUnit(i + points());
        }
  }

  std::size_t plane() const { return std::size_t(pitch) * pitch; }
  std::size_t points() const { return plane() * pitch; }
  std::size_t inner() const { return std::size_t(size) * size * size; }
  /// The place of an inner point; those of the border have coordinates from -radius on.
  std::size_t at(int x, int y, int z) const {
    return std::size_t(z + radius) * plane() + std::size_t(y + radius) * pitch + x + radius;
  }

  double bytes() const { return 3.0 * sizeof(double) * double(inner()); }
  double flops() const { return steps * 20.0 * double(inner()); }

  /// Compares the last state with one that is computed here, in the same precision.
  std::string check(const bench::Buffer<double> &result) const {
    bench::Buffer<double> old(points()), current(points());
    std::copy(before.data(), before.data() + points(), old.data());
    std::copy(now.data(), now.data() + points(), current.data());
    for (int step = 0; step < steps; ++step) {
      for (int z = 0; z < size; ++z)
        for (int y = 0; y < size; ++y)
          for (int x = 0; x < size; ++x)
            old[at(x, y, z)] = next(&current[at(x, y, z)], old[at(x, y, z)]);
      std::swap_ranges(old.begin(), old.end(), current.begin());
    }
    for (std::size_t i = 0; i < points(); ++i)
      if (!bench::close(result[i], current[i], 1e-12))
        return bench::wrong("point " + std::to_string(i), result[i], current[i]);
    return "";
  }

private:
  double next(const double *u, double u_before) const {
    double sum = 2 * u[0] - u_before;
    for (const std::size_t stride : {std::size_t(1), std::size_t(pitch), plane()})
      sum += center * u[0] + near * (u[stride] + u[-std::ptrdiff_t(stride)]) +
             far * (u[2 * stride] + u[-2 * std::ptrdiff_t(stride)]);
    return sum;
  }
};

} // namespace pde_double
