// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define UNREACHED -1

__kernel void begin(__global int *levels, __global int *queue, int source, int vertices) {
  const int v = get_global_id(0);
  if (v < vertices)
    levels[v] = v == source ? 0 : UNREACHED;
  if (v == 0)
    queue[0] = source;
}

__kernel void expand(__global int *levels, __global int *next, __global int *next_count,
                     __global const int *queue, int count, __global const int *row_starts,
                     __global const int *neighbours, int level) {
  const int i = get_global_id(0);
  if (i >= count)
    return;
  const int v = queue[i];
  for (int k = row_starts[v]; k < row_starts[v + 1]; ++k) {
    const int to = neighbours[k];
    if (levels[to] == UNREACHED && atomic_cmpxchg(&levels[to], UNREACHED, level) == UNREACHED)
      next[atomic_inc(next_count)] = to;
  }
}
