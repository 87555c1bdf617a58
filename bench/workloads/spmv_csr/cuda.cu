// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

__global__ void multiply(float *y, const int *row_starts, const int *columns, const float *values,
                         const float *x, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  const int end = row_starts[row + 1];
  for (int k = row_starts[row]; k < end; ++k)
    sum += values[k] * x[columns[k]];
  y[row] = sum;
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const spmv_csr::Problem problem(options);
  const int rows = int(problem.a.rows);
  const int *row_starts = bench::toDevice(problem.a.row_starts);
  const int *columns = bench::toDevice(problem.a.columns);
  const float *values = bench::toDevice(problem.a.values);
  const float *x = bench::toDevice(problem.x);
  float *y = bench::onDevice<float>(problem.a.rows);

  return bench::measure(
      options, spmv_csr::name, problem.bytes(), problem.flops(),
      [&] {
        multiply<<<(rows + 127) / 128, 128>>>(y, row_starts, columns, values, x, rows);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(y, problem.a.rows)); });
}
