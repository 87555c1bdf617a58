// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

constexpr int SLICE_ROWS = spmv_sell32::sliceRows;

__global__ void multiply(float *y, const int *slice_starts, const int *columns, const float *values,
                         const float *x, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  const int slice = row / SLICE_ROWS, lane = row % SLICE_ROWS;
  float sum = 0;
  const int end = slice_starts[slice + 1];
  for (int k = slice_starts[slice] + lane; k < end; k += SLICE_ROWS)
    sum += values[k] * x[columns[k]];
  y[row] = sum;
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const spmv_sell32::Problem problem(options);
  const int rows = int(problem.rows());
  const int *slice_starts = bench::toDevice(problem.a.slice_starts);
  const int *columns = bench::toDevice(problem.a.columns);
  const float *values = bench::toDevice(problem.a.values);
  const float *x = bench::toDevice(problem.x);
  float *y = bench::onDevice<float>(problem.rows());

  return bench::measure(
      options, spmv_sell32::name, problem.bytes(), problem.flops(),
      [&] {
        multiply<<<(rows + 127) / 128, 128>>>(y, slice_starts, columns, values, x, rows);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(y, problem.rows())); });
}
