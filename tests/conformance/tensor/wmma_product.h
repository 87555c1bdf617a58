// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One product by nvcuda::wmma, compared with the host's.
#pragma once

#include "tensor_check.h"

#include <mma.h>

using namespace nvcuda;

template <int M, int N, int K, typename Element, typename T, typename LayoutA, typename LayoutB,
          typename Sum>
__global__ void product(const T *a, int a_pitch, const T *b, int b_pitch, const Sum *c, Sum *d,
                        int sum_pitch, wmma::layout_t c_layout, wmma::layout_t d_layout) {
  wmma::fragment<wmma::matrix_a, M, N, K, Element, LayoutA> a_part;
  wmma::fragment<wmma::matrix_b, M, N, K, Element, LayoutB> b_part;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;
  wmma::load_matrix_sync(a_part, a, a_pitch);
  wmma::load_matrix_sync(b_part, b, b_pitch);
  wmma::load_matrix_sync(sum, c, sum_pitch, c_layout);
  wmma::mma_sync(sum, a_part, b_part, sum);
  wmma::store_matrix_sync(d, sum, sum_pitch, d_layout);
}

template <int M, int N, int K, typename Element, typename T, typename LayoutA, typename LayoutB,
          typename Sum>
void checkProduct(bool c_rows, bool d_rows) {
  const bool a_rows = std::is_same_v<LayoutA, wmma::row_major>;
  const bool b_rows = std::is_same_v<LayoutB, wmma::row_major>;
  const int a_pitch = (a_rows ? K : M) + 16, b_pitch = (b_rows ? N : K) + 16, pitch = 48;
  const auto a = matrixOf<T>(M, K, a_rows, a_pitch, 1, 5);
  const auto b = matrixOf<T>(K, N, b_rows, b_pitch, 2, 6);
  const auto c = matrixOf<Sum>(M, N, c_rows, pitch, 3, 9);
  DeviceBuffer<T> a_there(a), b_there(b);
  DeviceBuffer<Sum> c_there(c), d_there(48 * 32);
  product<M, N, K, Element, T, LayoutA, LayoutB, Sum>
      <<<1, 32>>>(a_there, a_pitch, b_there, b_pitch, c_there, d_there, pitch,
                  c_rows ? wmma::mem_row_major : wmma::mem_col_major,
                  d_rows ? wmma::mem_row_major : wmma::mem_col_major);
  const std::vector<Sum> d = d_there.download();
  for (int row = 0; row < M; ++row)
    for (int column = 0; column < N; ++column) {
      double sum = valueOf(c[size_t(c_rows ? row * pitch + column : column * pitch + row)]);
      for (int k = 0; k < K; ++k)
        sum += valueOf(a[size_t(a_rows ? row * a_pitch + k : k * a_pitch + row)]) *
               valueOf(b[size_t(b_rows ? k * b_pitch + column : column * b_pitch + k)]);
      CHECK_EQ(valueOf(d[size_t(d_rows ? row * pitch + column : column * pitch + row)]), sum);
    }
}

/// a by rows and b by columns, as mma has them, and the other way round.
template <int M, int N, int K, typename Element, typename T, typename Sum> void checkLayouts() {
  checkProduct<M, N, K, Element, T, wmma::row_major, wmma::col_major, Sum>(true, false);
  checkProduct<M, N, K, Element, T, wmma::col_major, wmma::row_major, Sum>(false, true);
}

template <typename T, typename Sum> void checkShapes() {
  checkLayouts<16, 16, 16, T, T, Sum>();
  checkLayouts<32, 8, 16, T, T, Sum>();
  checkLayouts<8, 32, 16, T, T, Sum>();
}
