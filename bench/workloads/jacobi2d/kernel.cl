// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void jacobiStep(__global const float *in, __global float *out, int width, int height) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1)
    return;
  const int i = y * width + x;
  out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}
