// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define SIDE 32
#define ROWS 8 // a work-item copies SIDE / ROWS elements

__kernel void transposeKernel(__global const float *in, __global float *out, int width, int height) {
  __local float tile[SIDE][SIDE + 1];
  const int tx = get_local_id(0), ty = get_local_id(1);
  int x = get_group_id(0) * SIDE + tx;
  int y = get_group_id(1) * SIDE + ty;
  for (int i = 0; i < SIDE; i += ROWS)
    if (x < width && y + i < height)
      tile[ty + i][tx] = in[(y + i) * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * SIDE + tx;
  y = get_group_id(0) * SIDE + ty;
  for (int i = 0; i < SIDE; i += ROWS)
    if (x < height && y + i < width)
      out[(y + i) * height + x] = tile[tx][ty + i];
}
