// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gravity between all pairs of bodies: arithmetic, an inverse square root in each step, and data
// that all threads of a block read again and again.
#pragma once

#include "common/data.h"
#include "common/measure.h"

namespace nbody {

constexpr const char *name = "nbody";
constexpr float softening =
    1e-3f; // added to squared distances, so that close bodies do not fly off

/// A body, or an acceleration with w unused: the layout of CUDA's and OpenCL's float4.
struct alignas(16) Float4 {
  float x = 0, y = 0, z = 0, w = 0; // of a body: w is its mass
};

struct Problem {
  std::size_t n;
  bench::Buffer<Float4> bodies;

  explicit Problem(const bench::Options &options) : n(options.small ? 1003 : 8192), bodies(n) {
    for (std::size_t i = 0; i < n; ++i)
      bodies[i] = {bench::randomUnit(4 * i), bench::randomUnit(4 * i + 1),
                   bench::randomUnit(4 * i + 2), 0.5f + bench::randomUnit(4 * i + 3)};
  }

  double bytes() const { return 2.0 * sizeof(Float4) * double(n); }
  double flops() const { return 20.0 * double(n) * double(n); } // the usual count for a pair

  /// Compares with sums in double. Their terms partly cancel, so the error that rounding explains
  /// is relative to the sum of the terms' sizes.
  std::string check(const bench::Buffer<Float4> &accelerations) const {
    for (std::size_t i = 0; i < n; ++i) {
      double x = 0, y = 0, z = 0, size = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const double dx = double(bodies[j].x) - bodies[i].x, dy = double(bodies[j].y) - bodies[i].y,
                     dz = double(bodies[j].z) - bodies[i].z;
        const double square = dx * dx + dy * dy + dz * dz + softening;
        const double strength = bodies[j].w / (square * std::sqrt(square));
        x += dx * strength;
        y += dy * strength;
        z += dz * strength;
        size += strength * std::sqrt(square);
      }
      const Float4 &a = accelerations[i];
      const double error = std::fabs(a.x - x) + std::fabs(a.y - y) + std::fabs(a.z - z);
      if (!(error <= 1e-5 * size))
        return bench::wrong("the x acceleration of body " + std::to_string(i), a.x, x);
    }
    return "";
  }
};

} // namespace nbody
