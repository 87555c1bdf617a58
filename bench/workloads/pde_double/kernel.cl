// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CENTER, NEAR and FAR, the stencil's weights, and the size of a work-group are defined by the
// host.
#define R 2

__kernel __attribute__((reqd_work_group_size(BLOCK_X, BLOCK_Y, 1))) void
advance(__global double *next, __global const double *before, __global const double *now, int size,
        int pitch) {
  __local double tile[BLOCK_Y + 2 * R][BLOCK_X + 2 * R];
  const int own_x = get_local_id(0), own_y = get_local_id(1);
  const int first_x = get_group_id(0) * BLOCK_X, first_y = get_group_id(1) * BLOCK_Y;
  const int x = first_x + own_x, y = first_y + own_y;
  const bool inside = x < size && y < size;
  const int plane = pitch * pitch;
  const int i = (y + R) * pitch + x + R;
  const int tx = own_x + R, ty = own_y + R;

  double below2 = 0, below1 = 0, own = 0, above1 = 0, above2 = 0;
  if (inside) {
    below1 = now[i];
    own = now[i + plane];
    above1 = now[i + 2 * plane];
    above2 = now[i + 3 * plane];
  }
  for (int z = R; z < size + R; ++z) {
    below2 = below1;
    below1 = own;
    own = above1;
    above1 = above2;
    if (inside)
      above2 = now[i + (z + 2) * plane];

    barrier(CLK_LOCAL_MEM_FENCE);
    for (int row = own_y; row < BLOCK_Y + 2 * R; row += BLOCK_Y)
      for (int column = own_x; column < BLOCK_X + 2 * R; column += BLOCK_X)
        if (first_y + row < pitch && first_x + column < pitch)
          tile[row][column] = now[z * plane + (first_y + row) * pitch + first_x + column];
    barrier(CLK_LOCAL_MEM_FENCE);

    if (inside) {
      const double around1 = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                             tile[ty + 1][tx] + below1 + above1;
      const double around2 = tile[ty][tx - 2] + tile[ty][tx + 2] + tile[ty - 2][tx] +
                             tile[ty + 2][tx] + below2 + above2;
      next[i + z * plane] =
          (2 + 3 * CENTER) * own - before[i + z * plane] + NEAR * around1 + FAR * around2;
    }
  }
}
