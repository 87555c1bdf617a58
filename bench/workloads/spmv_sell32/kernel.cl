// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define SLICE_ROWS 32

__kernel void multiply(__global float *y, __global const int *slice_starts,
                       __global const int *columns, __global const float *values,
                       __global const float *x, int rows) {
  const int row = get_global_id(0);
  if (row >= rows)
    return;
  const int slice = row / SLICE_ROWS, lane = row % SLICE_ROWS;
  float sum = 0;
  const int end = slice_starts[slice + 1];
  for (int k = slice_starts[slice] + lane; k < end; k += SLICE_ROWS)
    sum += values[k] * x[columns[k]];
  y[row] = sum;
}
