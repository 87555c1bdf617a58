// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__kernel void saxpyKernel(int n, float a, __global const float *x, __global float *y) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    y[i] = a * x[i] + y[i];
}
