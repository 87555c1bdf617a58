// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fastest matrix product known for CPUs, as Goto and van de Geijn described it: a micro-kernel
// keeps a few rows of C in registers; A and B are copied, packed in the order in which it reads
// them, in pieces that fit the caches. This is the main() of all matmul workloads' best variants,
// which define `workload`, their name.
#pragma once

#include "common/matmul.h"
#include "common/stream.h"

namespace matmul {

using bench::Floats;
using bench::lanes;

constexpr int rows = bench::vectorBytes == 64 ? 8 : 4; // of the micro-kernel's part of C,
constexpr int columns = 2 * int(lanes);                // which is in 2 * rows registers
constexpr int depth = 256;    // of a packed piece: columns * depth floats of B stay in the L1 cache
constexpr int blockRows = 64; // blockRows * depth floats of A stay in the L2 cache

// c += a * b, where a is packed by columns and b by rows.
inline void microKernel(int k, const float *a, const float *b, float *c, int stride) {
  Floats sums[rows][2];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 2; ++j)
      sums[i][j] = bench::load(c + i * stride + j * lanes);
  for (int l = 0; l < k; ++l, a += rows, b += columns) {
    const Floats b0 = bench::load(b), b1 = bench::load(b + lanes);
#pragma clang loop unroll(full)
    for (int i = 0; i < rows; ++i) {
      const Floats value = bench::splat(a[i]);
      sums[i][0] = value * b0 + sums[i][0];
      sums[i][1] = value * b1 + sums[i][1];
    }
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 2; ++j)
      bench::store(c + i * stride + j * lanes, sums[i][j]);
}

// Packs `blockRows` rows of a, `k` columns, for the micro-kernel.
inline void packA(int k, const float *a, int stride, float *packed) {
  for (int i = 0; i < blockRows; i += rows)
    for (int l = 0; l < k; ++l)
      for (int r = 0; r < rows; ++r)
        *packed++ = a[(i + r) * stride + l];
}

inline void multiply(int n, const float *a, const float *b, float *c, float *packedB) {
#pragma omp parallel
  {
    alignas(64) float packedA[blockRows * depth];
    for (int k = 0; k < n; k += depth) {
      const int part = std::min(depth, n - k);
#pragma omp for
      for (int j = 0; j < n; j += columns)
        for (int l = 0; l < part; ++l)
          std::memcpy(packedB + std::size_t(j) * part + l * columns, b + std::size_t(k + l) * n + j,
                      columns * sizeof(float));
#pragma omp for
      for (int i = 0; i < n; i += blockRows) {
        float *blockC = c + std::size_t(i) * n;
        if (k == 0)
          std::fill(blockC, blockC + std::size_t(blockRows) * n, 0.0f);
        packA(part, a + std::size_t(i) * n + k, n, packedA);
        for (int j = 0; j < n; j += columns)
          for (int r = 0; r < blockRows; r += rows)
            microKernel(part, packedA + r * part, packedB + std::size_t(j) * part,
                        blockC + std::size_t(r) * n + j, n);
      }
    }
  }
}

} // namespace matmul

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const matmul::Problem problem(options);
  bench::Buffer<float> c(problem.elements()), packed(std::size_t(matmul::depth) * problem.n);
  return bench::measure(
      options, workload, problem.bytes(), problem.flops(),
      [&] {
        matmul::multiply(problem.n, problem.a.data(), problem.b.data(), c.data(), packed.data());
      },
      [&] { return problem.check(c); });
}
