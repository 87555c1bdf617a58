// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const spmv_csr::Problem problem(options);
  const int rows = int(problem.a.rows);
  const int *row_starts = problem.a.row_starts.data(), *columns = problem.a.columns.data();
  const float *values = problem.a.values.data(), *x = problem.x.data();
  bench::Buffer<float> result(problem.a.rows);
  float *y = result.data();

  return bench::measure(
      options, spmv_csr::name, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel for
        for (int row = 0; row < rows; ++row) {
          float sum = 0;
#pragma omp simd reduction(+ : sum)
          for (int k = row_starts[row]; k < row_starts[row + 1]; ++k)
            sum += values[k] * x[columns[k]];
          y[row] = sum;
        }
      },
      [&] { return problem.check(result); });
}
