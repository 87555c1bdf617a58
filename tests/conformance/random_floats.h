// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reproducible input for the programs that reduce and scan.
#pragma once

#include <cstdlib>
#include <vector>

/// `count` floats in [0, 1] from rand(), started with seed 2019.
inline std::vector<float> randomFloats(size_t count) {
  srand(2019);
  std::vector<float> values(count);
  for (float &value : values)
    value = rand() / static_cast<float>(RAND_MAX);
  return values;
}

/// The sum in double precision.
inline double sumOf(const std::vector<float> &values) {
  double sum = 0;
  for (float value : values)
    sum += value;
  return sum;
}
