// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wmma of 4-bit numbers and single bits.
// flags: -arch=sm_80 -std=c++17
// env: HEDDLE_GPU=a100
#include "check.h"

#include <mma.h>

using namespace nvcuda;
using namespace nvcuda::wmma::experimental;

template <typename Element> __global__ void small(const void *a, const void *b, int *d) {
  wmma::fragment<wmma::matrix_a, 8, 8, 32, Element, wmma::row_major> a_part;
  wmma::fragment<wmma::matrix_b, 8, 8, 32, Element, wmma::col_major> b_part;
  wmma::fragment<wmma::accumulator, 8, 8, 32, int> sum;
  wmma::load_matrix_sync(a_part, a, 32);
  wmma::load_matrix_sync(b_part, b, 32);
  wmma::fill_fragment(sum, 7);
  wmma::mma_sync(sum, a_part, b_part, sum);
  wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}

__global__ void bits(const unsigned *a, const unsigned *b, int *d, int pitch) {
  wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> a_part;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> b_part;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> differ, both;
  wmma::load_matrix_sync(a_part, a, pitch);
  wmma::load_matrix_sync(b_part, b, pitch);
  wmma::fill_fragment(differ, 0);
  wmma::fill_fragment(both, 1000);
  wmma::bmma_sync(differ, a_part, b_part, differ);
  wmma::bmma_sync(both, a_part, b_part, both, bmmaBitOpAND);
  wmma::store_matrix_sync(d, differ, 8, wmma::mem_row_major);
  wmma::store_matrix_sync(d + 64, both, 8, wmma::mem_col_major);
}

unsigned mixed(unsigned i) {
  i *= 2654435761u;
  i ^= i >> 15;
  return i * 2246822519u;
}

int main() {
  std::vector<unsigned> a(64), b(64);
  for (unsigned i = 0; i < 64; ++i) {
    a[i] = mixed(i + 1);
    b[i] = mixed(i + 1000);
  }
  DeviceBuffer<unsigned> a_there(a), b_there(b);
  DeviceBuffer<int> sums(128);
  // Element k of row r of a: four words a row.
  auto nibble = [](const std::vector<unsigned> &words, int row, int k, bool with_sign) {
    const int value = words[size_t(row * 4 + k / 8)] >> (4 * (k % 8)) & 15;
    return with_sign && value > 7 ? value - 16 : value;
  };
  for (bool with_sign : {true, false}) {
    if (with_sign)
      small<precision::s4><<<1, 32>>>(a_there.data(), b_there.data(), sums);
    else
      small<precision::u4><<<1, 32>>>(a_there.data(), b_there.data(), sums);
    const std::vector<int> d = sums.download();
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column) {
        int sum = 7;
        for (int k = 0; k < 32; ++k)
          sum += nibble(a, row, k, with_sign) * nibble(b, column, k, with_sign);
        CHECK_EQ(d[size_t(row * 8 + column)], sum);
      }
  }
  bits<<<1, 32>>>(a_there, b_there, sums, 256);
  const std::vector<int> d = sums.download();
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column) {
      int differ = 0, both = 1000;
      for (int k = 0; k < 4; ++k) {
        differ += __builtin_popcount(a[size_t(row * 8 + k)] ^ b[size_t(column * 8 + k)]);
        both += __builtin_popcount(a[size_t(row * 8 + k)] & b[size_t(column * 8 + k)]);
      }
      CHECK_EQ(d[size_t(row * 8 + column)], differ);
      CHECK_EQ(d[size_t(64 + column * 8 + row)], both);
    }
  RETURN_RESULT();
}
