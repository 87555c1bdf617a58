// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void triadKernel(__global float *a, __global const float *b, __global const float *c,
                          float scalar, int n) {
  const int i = get_global_id(0);
  if (i < n)
    a[i] = b[i] + scalar * c[i];
}
