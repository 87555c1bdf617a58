// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h"

#include <algorithm>

namespace heddle::cusparse {
namespace {

constexpr unsigned threads = 256, row_threads = 32, max_grid_y = 65535;
constexpr int wide_tile = 4;

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

// A thread for Tile columns of a row of the result; neighbours are in neighbouring rows.
template <typename C, typename I, int Tile>
__global__ void rowTimesColumns(Rows<C, I> a, Array<const C> b, Array<C> c, int64_t width,
                                KernelNumber<C> alpha, KernelNumber<C> beta) {
  const int64_t row = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= a.count)
    return;
  const int64_t begin = a.offsets[row] - a.base, end = a.offsets[row + 1] - a.base;
  for (int64_t first = (int64_t)blockIdx.y * Tile; first < width;
       first += (int64_t)gridDim.y * Tile) {
    C sum[Tile] = {};
    if (first + Tile <= width)
      for (int64_t p = begin; p < end; ++p) {
        const C value = a.values[p];
        const int64_t column = a.columns[p] - a.base;
#pragma unroll
        for (int k = 0; k < Tile; ++k)
          sum[k] += value * b.at(column, first + k);
      }
    else
      for (int64_t p = begin; p < end; ++p)
        for (int k = 0; k < width - first; ++k)
          sum[k] += a.values[p] * b.at(a.columns[p] - a.base, first + k);
    for (int k = 0; k < Tile && first + k < width; ++k)
      update(c.at(row, first + k), alpha.get(), sum[k], beta.get());
  }
}

// A thread for each element of the result; neighbours are in the same row. Blocks are 32 wide.
template <typename C, typename I>
__global__ void rowTimesRows(Rows<C, I> a, Array<const C> b, Array<C> c, int64_t width,
                             KernelNumber<C> alpha, KernelNumber<C> beta) {
  const int64_t row = (int64_t)blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= a.count)
    return;
  const int64_t begin = a.offsets[row] - a.base, end = a.offsets[row + 1] - a.base;
  for (int64_t j = blockIdx.y * blockDim.x + threadIdx.x; j < width;
       j += (int64_t)gridDim.y * blockDim.x) {
    C sum(0);
    for (int64_t p = begin; p < end; ++p)
      sum += a.values[p] * b.data[(a.columns[p] - a.base) * b.row_step + j];
    update(c.data[row * c.row_step + j], alpha.get(), sum, beta.get());
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
    const bool by_row = c.col_step == 1 && b.col_step == 1 && c.cols >= row_threads;
    const int64_t tile = by_row ? row_threads : c.cols < wide_tile ? 1 : wide_tile;
    const int64_t rows = by_row ? threads / row_threads : threads;
    const dim3 block = by_row ? dim3(row_threads, threads / row_threads) : dim3(threads);
    const dim3 grid(unsigned((c.rows + rows - 1) / rows),
                    unsigned(std::min<int64_t>((c.cols + tile - 1) / tile, max_grid_y)));
    const auto kernel = by_row      ? rowTimesRows<C, I>
                        : tile == 1 ? rowTimesColumns<C, I, 1>
                                    : rowTimesColumns<C, I, wide_tile>;
    kernel<<<grid, block, 0, stream>>>(rowsOf<C, I>(a), arrayOf<const C>(b), arrayOf<C>(c), c.cols,
                                       number<C>(alpha), number<C>(beta));
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
