// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Affine and perspective transforms as matrices of three rows.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <nppdefs.h>
#include <optional>

namespace heddle::npp {

using Matrix = std::array<double, 9>;

inline Matrix matrixOf(const double (*rows)[3], bool perspective) {
  Matrix m{0, 0, 0, 0, 0, 0, 0, 0, 1};
  for (int i = 0; i < (perspective ? 9 : 6); ++i)
    m[i] = rows[i / 3][i % 3];
  return m;
}

inline std::optional<Matrix> inverse(const Matrix &m) {
  auto minor = [&](int a, int b, int c, int d) { return m[a] * m[d] - m[b] * m[c]; };
  const Matrix adjoint{minor(4, 5, 7, 8), minor(2, 1, 8, 7), minor(1, 2, 4, 5),
                       minor(5, 3, 8, 6), minor(0, 2, 6, 8), minor(2, 0, 5, 3),
                       minor(3, 4, 6, 7), minor(1, 0, 7, 6), minor(0, 1, 3, 4)};
  const double determinant = m[0] * adjoint[0] + m[1] * adjoint[3] + m[2] * adjoint[6];
  if (!(std::fabs(determinant) > 1e-12))
    return std::nullopt;
  Matrix result;
  for (int i = 0; i < 9; ++i)
    result[i] = adjoint[i] / determinant;
  return result;
}

inline void apply(const Matrix &m, double (&p)[2]) {
  const double w = m[6] * p[0] + m[7] * p[1] + m[8];
  const double x = (m[0] * p[0] + m[1] * p[1] + m[2]) / w;
  p[1] = (m[3] * p[0] + m[4] * p[1] + m[5]) / w;
  p[0] = x;
}

/// The centres of a region's corner pixels, clockwise from the top left one.
inline void cornersOf(NppiRect r, double (*quad)[2]) {
  const double right = r.x + r.width - 1, bottom = r.y + r.height - 1;
  const double corners[4][2] = {
      {double(r.x), double(r.y)}, {right, double(r.y)}, {right, bottom}, {double(r.x), bottom}};
  std::copy(&corners[0][0], &corners[0][0] + 8, &quad[0][0]);
}

/// Solves N linear equations with two or one right-hand sides in the last columns of the rows.
template <int N, int Columns> bool solve(double (&rows)[N][Columns]) {
  for (int k = 0; k < N; ++k) {
    int pivot = k;
    for (int i = k + 1; i < N; ++i)
      if (std::fabs(rows[i][k]) > std::fabs(rows[pivot][k]))
        pivot = i;
    if (!(std::fabs(rows[pivot][k]) > 1e-12))
      return false;
    std::swap(rows[k], rows[pivot]);
    for (int i = 0; i < N; ++i) {
      if (i == k)
        continue;
      const double factor = rows[i][k] / rows[k][k];
      for (int j = k; j < Columns; ++j)
        rows[i][j] -= factor * rows[k][j];
    }
  }
  for (int k = 0; k < N; ++k)
    for (int j = N; j < Columns; ++j)
      rows[k][j] /= rows[k][k];
  return true;
}

/// The affine transform that takes the first three corners of one quadrangle to those of another.
inline std::optional<Matrix> affineOf(const double (*from)[2], const double (*to)[2]) {
  double rows[3][5];
  for (int i = 0; i < 3; ++i) {
    const double row[5] = {from[i][0], from[i][1], 1, to[i][0], to[i][1]};
    std::copy(row, row + 5, rows[i]);
  }
  if (!solve(rows))
    return std::nullopt;
  return Matrix{rows[0][3], rows[1][3], rows[2][3], rows[0][4], rows[1][4], rows[2][4], 0, 0, 1};
}

/// The perspective transform that takes the corners of one quadrangle to those of another.
inline std::optional<Matrix> perspectiveOf(const double (*from)[2], const double (*to)[2]) {
  double rows[8][9] = {};
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 2; ++k) {
      double(&row)[9] = rows[2 * i + k];
      row[3 * k] = from[i][0];
      row[3 * k + 1] = from[i][1];
      row[3 * k + 2] = 1;
      row[6] = -from[i][0] * to[i][k];
      row[7] = -from[i][1] * to[i][k];
      row[8] = to[i][k];
    }
  if (!solve(rows))
    return std::nullopt;
  Matrix m;
  for (int i = 0; i < 8; ++i)
    m[i] = rows[i][8];
  m[8] = 1;
  return m;
}

} // namespace heddle::npp
