// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void multiply(__global const float *a, __global const float *b, __global float *c, int n) {
  const int row = get_global_id(0);
  const int column = get_global_id(1);
  if (row >= n || column >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
