// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL 1.2 has no shuffles, and PoCL's CPU device no sub-groups, so warps add up in local memory; it
// has no atomic addition of floats either, so the sum is exchanged until no other work-item was in between.
#define THREADS 256

void addAtomically(volatile __global uint *total, float value) {
  uint old, seen = *total;
  do {
    old = seen;
    seen = atomic_cmpxchg(total, old, as_uint(as_float(old) + value));
  } while (seen != old);
}

__kernel void addUp(__global const float *values, int n, volatile __global uint *total) {
  __local float partial[THREADS];
  const int t = get_local_id(0);
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    sum += values[i];

  partial[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int stride = THREADS / 2; stride > 0; stride /= 2) {
    if (t < stride)
      partial[t] += partial[t + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0)
    addAtomically(total, partial[0]);
}
