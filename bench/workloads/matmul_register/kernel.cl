// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define TILE 64  // of the product, a group's; n is a multiple of it
#define DEPTH 16 // columns of a, and rows of b, in local memory at a time
#define PER 4    // rows and columns of a work-item
#define SIDE (TILE / PER)

__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1))) void
multiply(__global const float *a, __global const float *b, __global float *c, int n) {
  __local float tileA[DEPTH][TILE];
  __local float tileB[DEPTH][TILE];
  const int x = get_local_id(0), y = get_local_id(1), item = y * SIDE + x;
  const int firstRow = get_group_id(1) * TILE, firstColumn = get_group_id(0) * TILE;
  float sums[PER][PER];
#pragma unroll
  for (int i = 0; i < PER; ++i)
#pragma unroll
    for (int j = 0; j < PER; ++j)
      sums[i][j] = 0;

  for (int first = 0; first < n; first += DEPTH) {
    for (int i = item; i < TILE * DEPTH; i += SIDE * SIDE) {
      tileA[i % DEPTH][i / DEPTH] = a[(firstRow + i / DEPTH) * n + first + i % DEPTH];
      tileB[i / TILE][i % TILE] = b[(first + i / TILE) * n + firstColumn + i % TILE];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      float left[PER], right[PER];
#pragma unroll
      for (int i = 0; i < PER; ++i) {
        left[i] = tileA[k][y * PER + i];
        right[i] = tileB[k][x * PER + i];
      }
#pragma unroll
      for (int i = 0; i < PER; ++i)
#pragma unroll
        for (int j = 0; j < PER; ++j)
          sums[i][j] += left[i] * right[j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  for (int i = 0; i < PER; ++i)
    for (int j = 0; j < PER; ++j)
      c[(firstRow + y * PER + i) * n + firstColumn + x * PER + j] = sums[i][j];
}
