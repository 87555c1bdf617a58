// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sparse matrix, stored as compressed sparse rows, times a vector: loads from places that the
// data say, and rows of different lengths side by side.
#pragma once

#include "common/data.h"
#include "common/measure.h"
#include <algorithm>

namespace spmv {

/// Row r holds values[k] in column columns[k] for the k from row_starts[r] to row_starts[r + 1]
/// - 1. The rows have 5 to 30 entries; about half of them are near the diagonal, as in a mesh.
struct CsrMatrix {
  std::size_t rows;
  bench::Buffer<int> row_starts;
  bench::Buffer<int> columns;
  bench::Buffer<float> values;

  explicit CsrMatrix(std::size_t rows_)
      : rows(rows_), row_starts(startsOf(rows)), columns(row_starts[rows]),
        values(row_starts[rows]) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (int k = row_starts[r]; k < row_starts[r + 1]; ++k) {
        const std::uint32_t random = bench::randomBits(k);
        const std::size_t anywhere = random / 2 % rows;
        const std::size_t near = (r + rows + anywhere % 512 - 256) % rows;
        columns[k] = int(random % 2 ? near : anywhere);
        values[k] = bench::randomUnit(k + 1'000'000'000u);
      }
      std::sort(&columns[row_starts[r]], &columns[row_starts[r]] + length(r));
    }
  }

  std::size_t entries() const { return values.size(); }
  int length(std::size_t row) const { return row_starts[row + 1] - row_starts[row]; }

private:
  static bench::Buffer<int> startsOf(std::size_t rows) {
    bench::Buffer<int> starts(rows + 1);
    for (std::size_t r = 0; r < rows; ++r)
      starts[r + 1] = starts[r] + 5 + int(bench::randomBits(r + 2'000'000'000u) % 26);
    return starts;
  }
};

/// Compares y with the product in double. All numbers are positive, so nothing cancels.
inline std::string checkProduct(const CsrMatrix &a, const bench::Buffer<float> &x,
                                const bench::Buffer<float> &y) {
  for (std::size_t r = 0; r < a.rows; ++r) {
    double sum = 0;
    for (int k = a.row_starts[r]; k < a.row_starts[r + 1]; ++k)
      sum += double(a.values[k]) * x[a.columns[k]];
    if (!bench::close(y[r], sum, 2e-6))
      return bench::wrong("y[" + std::to_string(r) + "]", y[r], sum);
  }
  return "";
}

inline bench::Buffer<float> randomVector(std::size_t size) {
  bench::Buffer<float> x(size);
  for (std::size_t i = 0; i < size; ++i)
    x[i] = bench::randomUnit(i + 3'000'000'000u);
  return x;
}

} // namespace spmv

namespace spmv_csr {

constexpr const char *name = "spmv_csr";

struct Problem {
  spmv::CsrMatrix a;
  bench::Buffer<float> x;

  explicit Problem(const bench::Options &options)
      : a(options.small ? 10'007 : 1 << 18), x(spmv::randomVector(a.rows)) {}

  double bytes() const { return 8.0 * double(a.entries()) + 12.0 * double(a.rows); }
  double flops() const { return 2.0 * double(a.entries()); }
  std::string check(const bench::Buffer<float> &y) const { return spmv::checkProduct(a, x, y); }
};

} // namespace spmv_csr
