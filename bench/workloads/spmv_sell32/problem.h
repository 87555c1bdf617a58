// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix of spmv_csr in a format made for warps, SELL-C-sigma with C = 32 and sigma = 1: 32
// rows at a time form a slice, all as long as its longest, with the first entries of all 32 side by
// side in memory, then their second entries, and so on.
#pragma once

#include "workloads/spmv_csr/problem.h"

namespace spmv_sell32 {

constexpr const char *name = "spmv_sell32";
constexpr int sliceRows = 32;

/// Entry j of row r is element slice_starts[r / 32] + 32 * j + r % 32 of columns and values.
/// Entries that fill up a row are 0 in column 0.
struct SellMatrix {
  std::size_t slices;
  bench::Buffer<int> slice_starts;
  bench::Buffer<int> columns;
  bench::Buffer<float> values;

  explicit SellMatrix(const spmv::CsrMatrix &a)
      : slices((a.rows + sliceRows - 1) / sliceRows), slice_starts(startsOf(a, slices)),
        columns(slice_starts[slices]), values(slice_starts[slices]) {
    for (std::size_t r = 0; r < a.rows; ++r) {
      std::size_t to = slice_starts[r / sliceRows] + r % sliceRows;
      for (int k = a.row_starts[r]; k < a.row_starts[r + 1]; ++k, to += sliceRows) {
        columns[to] = a.columns[k];
        values[to] = a.values[k];
      }
    }
  }

private:
  static bench::Buffer<int> startsOf(const spmv::CsrMatrix &a, std::size_t slices) {
    bench::Buffer<int> starts(slices + 1);
    for (std::size_t s = 0; s < slices; ++s) {
      int longest = 0;
      for (std::size_t r = s * sliceRows; r < a.rows && r < (s + 1) * sliceRows; ++r)
        longest = std::max(longest, a.length(r));
      starts[s + 1] = starts[s] + longest * sliceRows;
    }
    return starts;
  }
};

struct Problem {
  spmv::CsrMatrix csr; // to check with
  SellMatrix a;
  bench::Buffer<float> x;

  explicit Problem(const bench::Options &options)
      : csr(options.small ? 10'007 : 1 << 18), a(csr), x(spmv::randomVector(csr.rows)) {}

  std::size_t rows() const { return csr.rows; }
  double bytes() const { return 8.0 * double(a.values.size()) + 8.0 * double(rows()); }
  double flops() const { return 2.0 * double(csr.entries()); } // what fills up does not count
  std::string check(const bench::Buffer<float> &y) const { return spmv::checkProduct(csr, x, y); }
};

} // namespace spmv_sell32
