// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define BINS 256

__kernel void count(__global const uchar *values, int n, volatile __global uint *counts) {
  volatile __local uint groupCounts[BINS];
  const int t = get_local_id(0);
  groupCounts[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&groupCounts[values[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counts[t], groupCounts[t]);
}
