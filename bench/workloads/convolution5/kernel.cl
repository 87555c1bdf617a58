// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define RADIUS 2
#define SIZE (2 * RADIUS + 1)
#define SIDE 16
#define TILE_SIDE (SIDE + 2 * RADIUS)

__kernel void filterImage(__global const float *in, __global float *out, int width, int height,
                          __constant float *filter) {
  __local float tile[TILE_SIDE][TILE_SIDE];
  const int tx = get_local_id(0), ty = get_local_id(1);
  const int left = get_group_id(0) * SIDE - RADIUS, top = get_group_id(1) * SIDE - RADIUS;
  for (int y = ty; y < TILE_SIDE; y += SIDE)
    for (int x = tx; x < TILE_SIDE; x += SIDE) {
      const int column = left + x, row = top + y;
      const bool inside = column >= 0 && column < width && row >= 0 && row < height;
      tile[y][x] = inside ? in[row * width + column] : 0.0f;
    }
  barrier(CLK_LOCAL_MEM_FENCE);

  const int column = get_global_id(0), row = get_global_id(1);
  if (column >= width || row >= height)
    return;
  float sum = 0;
  for (int y = 0; y < SIZE; ++y)
    for (int x = 0; x < SIZE; ++x)
      sum += filter[y * SIZE + x] * tile[ty + y][tx + x];
  out[row * width + column] = sum;
}
