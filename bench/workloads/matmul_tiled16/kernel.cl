// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// n is a multiple of TILE.
__kernel void multiply(__global const float *a, __global const float *b, __global float *c, int n) {
  __local float tileA[TILE][TILE];
  __local float tileB[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_group_id(1) * TILE + y;
  const int column = get_group_id(0) * TILE + x;
  float sum = 0;
  for (int first = 0; first < n; first += TILE) {
    tileA[y][x] = a[row * n + first + x];
    tileB[y][x] = b[(first + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k)
      sum += tileA[y][k] * tileB[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
