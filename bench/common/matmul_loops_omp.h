// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main() of the OpenMP variants of both naive matmul workloads, which define `workload`, their
// name: three loops, in the order in which the innermost goes along rows.
#pragma once

#include "common/matmul.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const matmul::Problem problem(options);
  const int n = problem.n;
  bench::Buffer<float> product(problem.elements());
  const float *a = problem.a.data(), *b = problem.b.data();
  float *c = product.data();

  return bench::measure(
      options, workload, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel for
        for (int i = 0; i < n; ++i) {
          for (int j = 0; j < n; ++j)
            c[i * n + j] = 0;
          for (int k = 0; k < n; ++k) {
            const float factor = a[i * n + k];
#pragma omp simd
            for (int j = 0; j < n; ++j)
              c[i * n + j] += factor * b[k * n + j];
          }
        }
      },
      [&] { return problem.check(product); });
}
