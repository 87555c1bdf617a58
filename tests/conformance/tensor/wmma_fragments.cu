// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fragments: filled, changed element by element, half sums from float ones, tf32's rounding.
// flags: -arch=sm_80 -std=c++17
// env: HEDDLE_GPU=a100
#include "tensor_check.h"

#include <mma.h>

using namespace nvcuda;

// d = 2 * (a * ones) - 3 * c, a piece of what a matrix product with alpha and beta does.
__global__ void scaled(const half *a, const float *c, float *d, half *rounded) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a_part;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> ones;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, before;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> small;
  wmma::load_matrix_sync(a_part, a, 16);
  for (int i = 0; i < a_part.num_elements; ++i)
    a_part.x[i] = a_part.x[i] + a_part.x[i];
  wmma::fill_fragment(ones, __float2half(1.0f));
  wmma::fill_fragment(sum, 0.0f);
  wmma::mma_sync(sum, a_part, ones, sum);
  wmma::load_matrix_sync(before, c, 16, wmma::mem_row_major);
  for (int i = 0; i < sum.num_elements; ++i)
    sum.x[i] -= 3 * before.x[i];
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
  // Fragments of sums of different types have their elements in the same threads.
  for (int i = 0; i < small.num_elements; ++i)
    small.x[i] = __float2half(sum.x[i]);
  wmma::store_matrix_sync(rounded, small, 16, wmma::mem_row_major);
}

__global__ void rounding(const float *in, float *out) {
  out[threadIdx.x] = wmma::__float_to_tf32(in[threadIdx.x]);
}

// Sums of bytes stay within 32 bits if they are asked to.
__global__ void saturated(int start, int *out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum, clamped;
  wmma::fill_fragment(a, (signed char)100);
  wmma::fill_fragment(b, (signed char)100);
  wmma::fill_fragment(sum, start);
  wmma::fill_fragment(clamped, start);
  wmma::mma_sync(sum, a, b, sum);
  wmma::mma_sync(clamped, a, b, clamped, true);
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
  wmma::store_matrix_sync(out + 256, clamped, 16, wmma::mem_row_major);
}

int main() {
  const auto a = matrixOf<half>(16, 16, true, 16, 4, 7);
  const auto c = matrixOf<float>(16, 16, true, 16, 5, 9);
  DeviceBuffer<half> a_there(a), rounded(256);
  DeviceBuffer<float> c_there(c), d_there(256);
  scaled<<<1, 32>>>(a_there, c_there, d_there, rounded);
  const std::vector<float> d = d_there.download();
  const std::vector<half> halves = rounded.download();
  for (size_t i = 0; i < 256; ++i) {
    float sum = 0;
    for (size_t k = 0; k < 16; ++k)
      sum += 2 * __half2float(a[i / 16 * 16 + k]);
    CHECK_EQ(d[i], sum - 3 * c[i]);
    CHECK_EQ(__half2float(halves[i]), sum - 3 * c[i]);
  }

  const float ulp = 1.0f / 1024;
  const std::vector<float> numbers = {
      1, 1 + ulp, 1 + ulp / 4, 1 + ulp / 2, -1 - ulp / 2, 1 + ulp * 3 / 4, 0, -0.0f};
  const float expected[] = {1, 1 + ulp, 1, 1 + ulp, -1 - ulp, 1 + ulp, 0, -0.0f};
  DeviceBuffer<float> in(numbers), out(8);
  rounding<<<1, 8>>>(in, out);
  const std::vector<float> got = out.download();
  for (size_t i = 0; i < 8; ++i)
    CHECK_EQ(got[i], expected[i]);

  DeviceBuffer<int> sums(512);
  saturated<<<1, 32>>>(0x7fffffff - 1000, sums);
  std::vector<int> all = sums.download();
  for (size_t i = 0; i < 256; ++i) {
    CHECK_EQ(all[i], int(0x7fffffffu - 1000 + 160000));
    CHECK_EQ(all[256 + i], 0x7fffffff);
  }
  RETURN_RESULT();
}
