// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h"

#include <algorithm>

namespace heddle::cusparse {
namespace {

constexpr unsigned threads = 256, max_grid_y = 65535;

template <typename C> struct KernelNumber {
  const C *pointer;
  C value;
  __device__ C get() const { return pointer ? *pointer : value; }
};
template <typename C> KernelNumber<C> number(KernelScalar s) {
  if constexpr (is_complex<C>)
    return {static_cast<const C *>(s.pointer), C(s.re, s.im)};
  else
    return {static_cast<const C *>(s.pointer), C(s.re)};
}

template <typename C, typename I> struct Rows {
  int64_t count, cols, base;
  const I *offsets, *columns;
  C *values;
};
template <typename C> struct Array {
  C *data;
  int64_t row_step, col_step;
  __device__ C &at(int64_t i, int64_t j) const { return data[i * row_step + j * col_step]; }
};

// What beta = 0 multiplies is not read.
template <typename C> __device__ void update(C &to, C alpha, C sum, C beta) {
  to = beta == C(0) ? alpha * sum : alpha * sum + beta * to;
}

// A thread for each element of the result: neighbours in a row if ByRow, else in a column.
template <typename C, typename I, bool ByRow>
__global__ void rowTimesDense(Rows<C, I> a, Array<const C> b, Array<C> c, int64_t width,
                              KernelNumber<C> alpha, KernelNumber<C> beta) {
  const int64_t inner = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (inner >= (ByRow ? width : a.count))
    return;
  const int64_t outer_count = ByRow ? a.count : width;
  for (int64_t outer = blockIdx.y; outer < outer_count; outer += gridDim.y) {
    const int64_t row = ByRow ? outer : inner, column = ByRow ? inner : outer;
    C sum(0);
    for (int64_t p = a.offsets[row] - a.base, end = a.offsets[row + 1] - a.base; p < end; ++p)
      sum += a.values[p] * b.at(a.columns[p] - a.base, column);
    update(c.at(row, column), alpha.get(), sum, beta.get());
  }
}

template <typename C, typename I>
__global__ void sampledRows(Rows<C, I> c, Array<const C> a, Array<const C> b, int64_t depth,
                            KernelNumber<C> alpha, KernelNumber<C> beta) {
  const int64_t row = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= c.count)
    return;
  for (int64_t p = c.offsets[row] - c.base, end = c.offsets[row + 1] - c.base; p < end; ++p) {
    C sum(0);
    for (int64_t k = 0; k < depth; ++k)
      sum += a.at(row, k) * b.at(k, c.columns[p] - c.base);
    update(c.values[p], alpha.get(), sum, beta.get());
  }
}

template <typename C, typename I> Rows<C, I> rowsOf(const Matrix &a) {
  return {a.rows,
          a.cols,
          a.base,
          static_cast<const I *>(a.offsets.data),
          static_cast<const I *>(a.indices.data),
          static_cast<C *>(a.values)};
}
template <typename C> Array<C> arrayOf(const Dense &d) {
  return {static_cast<C *>(d.values), d.row_step, d.col_step};
}

unsigned blocksFor(int64_t count) { return unsigned((count + threads - 1) / threads); }

/// Calls f with Tags of the number's and the indices' types, if kernels are there for them.
template <typename F> bool withTypes(const Matrix &a, F f) {
  if (a.offsets.type != a.indices.type || a.offsets.type == CUSPARSE_INDEX_16U ||
      a.type == CUDA_R_32I || a.rows > INT32_MAX)
    return false;
  return withComputeType(a.type, [&](auto tag) {
    using C = typename decltype(tag)::Type;
    if constexpr (!std::is_same_v<C, int>)
      a.offsets.type == CUSPARSE_INDEX_32I ? f(tag, Tag<int>()) : f(tag, Tag<int64_t>());
  });
}

} // namespace

bool launchRows(cudaStream_t stream, const Matrix &a, const Dense &b, const Dense &c,
                KernelScalar alpha, KernelScalar beta, cudaError_t &error) {
  return withTypes(a, [&](auto tag, auto index) {
    using C = typename decltype(tag)::Type;
    using I = typename decltype(index)::Type;
    const bool by_row = c.col_step == 1 && b.col_step == 1 && c.cols >= 32;
    const int64_t inner = by_row ? c.cols : c.rows, outer = by_row ? c.rows : c.cols;
    const dim3 grid(blocksFor(inner), unsigned(std::min<int64_t>(outer, max_grid_y)));
    const auto kernel = by_row ? rowTimesDense<C, I, true> : rowTimesDense<C, I, false>;
    kernel<<<grid, threads, 0, stream>>>(rowsOf<C, I>(a), arrayOf<const C>(b), arrayOf<C>(c),
                                         c.cols, number<C>(alpha), number<C>(beta));
    error = cudaGetLastError();
  });
}

bool launchSampled(cudaStream_t stream, const Dense &a, const Dense &b, const Matrix &c,
                   KernelScalar alpha, KernelScalar beta, cudaError_t &error) {
  return withTypes(c, [&](auto tag, auto index) {
    using C = typename decltype(tag)::Type;
    using I = typename decltype(index)::Type;
    sampledRows<C, I><<<blocksFor(c.rows), threads, 0, stream>>>(
        rowsOf<C, I>(c), arrayOf<const C>(a), arrayOf<const C>(b), a.cols, number<C>(alpha),
        number<C>(beta));
    error = cudaGetLastError();
  });
}

} // namespace heddle::cusparse
