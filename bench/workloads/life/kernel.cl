// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void generation(__global uchar *next, __global const uchar *field, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  const int left = x > 0 ? x - 1 : width - 1, right = x < width - 1 ? x + 1 : 0;
  __global const uchar *row = field + y * width;
  __global const uchar *above = field + (y > 0 ? y - 1 : height - 1) * width;
  __global const uchar *below = field + (y < height - 1 ? y + 1 : 0) * width;
  const int neighbours = above[left] + above[x] + above[right] + row[left] + row[right] +
                         below[left] + below[x] + below[right];
  next[y * width + x] = neighbours == 3 || (neighbours == 2 && row[x]);
}
