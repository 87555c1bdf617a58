// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// THREADS, the size of a work-group, is defined by the host.
#define ELEMENTS (2 * THREADS)

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void
scanBlocks(__global uint *out, __global uint *sums, __global const uint *in, int n) {
  __local uint values[ELEMENTS];
  const int thread = get_local_id(0), first = get_group_id(0) * ELEMENTS;
  for (int i = thread; i < ELEMENTS; i += THREADS)
    values[i] = first + i < n ? in[first + i] : 0;

  int distance = 1;
  for (int nodes = THREADS; nodes > 0; nodes /= 2, distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread < nodes) {
      const int left = distance * (2 * thread + 1) - 1;
      values[left + distance] += values[left];
    }
  }
  if (thread == 0) {
    sums[get_group_id(0)] = values[ELEMENTS - 1];
    values[ELEMENTS - 1] = 0;
  }
  for (int nodes = 1; nodes <= THREADS; nodes *= 2) {
    distance /= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread < nodes) {
      const int left = distance * (2 * thread + 1) - 1;
      const uint sum = values[left];
      values[left] = values[left + distance];
      values[left + distance] += sum;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = thread; i < ELEMENTS; i += THREADS)
    if (first + i < n)
      out[first + i] = values[i];
}

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void
addSums(__global uint *out, __global const uint *sums, int n) {
  const int i = get_group_id(0) * ELEMENTS + get_local_id(0);
  const uint sum = sums[get_group_id(0)];
  if (i < n)
    out[i] += sum;
  if (i + THREADS < n)
    out[i + THREADS] += sum;
}
