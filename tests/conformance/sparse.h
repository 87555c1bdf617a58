// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sparse matrix in CSR form with rows of very different lengths, for the programs that need one.
#pragma once

#include <vector>

/// Values are small integers, so that products are exact in float whatever the order of additions.
struct SparseMatrix {
  explicit SparseMatrix(int rows) : rows(rows), row_start(1, 0) {
    unsigned state = 1;
    for (int row = 0; row < rows; ++row) {
      const int length = row % 17 == 3 ? 0 : 1 + row * row % 23;
      for (int i = 0; i < length; ++i) {
        state = state * 1664525u + 1013904223u;
        columns.push_back((state >> 8) % rows);
        values.push_back(float(int(state >> 20) % 8 + 1));
      }
      row_start.push_back(int(columns.size()));
    }
  }

  int length(int row) const { return row_start[row + 1] - row_start[row]; }

  std::vector<float> multiply(const std::vector<float> &x) const {
    std::vector<float> y(rows);
    for (int row = 0; row < rows; ++row)
      for (int i = row_start[row]; i < row_start[row + 1]; ++i)
        y[row] += values[i] * x[columns[i]];
    return y;
  }

  int rows;
  std::vector<int> row_start, columns;
  std::vector<float> values;
};
