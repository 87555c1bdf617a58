// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void multiply(__global float *y, __global const int *row_starts,
                       __global const int *columns, __global const float *values,
                       __global const float *x, int rows) {
  const int row = get_global_id(0);
  if (row >= rows)
    return;
  float sum = 0;
  const int end = row_starts[row + 1];
  for (int k = row_starts[row]; k < end; ++k)
    sum += values[k] * x[columns[k]];
  y[row] = sum;
}
