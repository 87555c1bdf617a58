// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define THREADS 256

// A group adds 2 * THREADS values.
__kernel void addUp(__global const float *values, int n, __global float *sums) {
  __local float partial[THREADS];
  const int t = get_local_id(0);
  const int i = get_group_id(0) * 2 * THREADS + t;
  partial[t] = (i < n ? values[i] : 0.0f) + (i + THREADS < n ? values[i + THREADS] : 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int stride = THREADS / 2; stride > 0; stride /= 2) {
    if (t < stride)
      partial[t] += partial[t + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0)
    sums[get_group_id(0)] = partial[0];
}
