// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void transposeKernel(__global const float *in, __global float *out, int width, int height) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x < width && y < height)
    out[x * height + y] = in[y * width + x];
}
