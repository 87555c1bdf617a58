// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void diffuse(__global const float *in, __global float *out, int side, float centre,
                      float neighbour) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  const int z = get_global_id(2);
  if (x >= side || y >= side || z >= side)
    return;
  const int plane = side * side, i = z * plane + y * side + x;
  if (x == 0 || x == side - 1 || y == 0 || y == side - 1 || z == 0 || z == side - 1) {
    out[i] = in[i];
    return;
  }
  out[i] = centre * in[i] + neighbour * (in[i - 1] + in[i + 1] + in[i - side] + in[i + side] +
                                         in[i - plane] + in[i + plane]);
}
