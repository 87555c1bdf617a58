// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// THREADS, the size of a work-group, and KEYS, of a work-item, are defined by the host.
#define DIGITS 16
#define TILE (THREADS * KEYS)
#define KERNEL __kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))

int digitOf(uint key, int shift) { return key >> shift & (DIGITS - 1); }

uint scanGroup(uint value, __local uint *sums, uint *total) {
  const int thread = get_local_id(0);
  sums[thread] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int distance = 1; distance < THREADS; distance *= 2) {
    const uint before = thread >= distance ? sums[thread - distance] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[thread] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  *total = sums[THREADS - 1];
  return sums[thread] - value;
}

KERNEL void countDigits(__global uint *counts, __global const uint *keys, int n, int shift) {
  __local uint digit_counts[DIGITS];
  const int thread = get_local_id(0);
  if (thread < DIGITS)
    digit_counts[thread] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = thread; k < TILE; k += THREADS) {
    const int i = get_group_id(0) * TILE + k;
    if (i < n)
      atomic_inc(&digit_counts[digitOf(keys[i], shift)]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread < DIGITS)
    counts[thread * get_num_groups(0) + get_group_id(0)] = digit_counts[thread];
}

KERNEL void scanCounts(__global uint *counts, int n) {
  __local uint sums[THREADS];
  uint before = 0;
  for (int first = 0; first < n; first += THREADS) {
    const int i = first + get_local_id(0);
    uint total;
    const uint sum = scanGroup(i < n ? counts[i] : 0, sums, &total);
    if (i < n)
      counts[i] = before + sum;
    before += total;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

KERNEL void scatter(__global uint *out, __global const uint *keys, __global const uint *starts,
                    int n, int shift) {
  __local uint counters[DIGITS * THREADS];
  __local uint sums[THREADS], digit_starts[DIGITS], global_starts[DIGITS];
  __local uint ordered[TILE];
  const int thread = get_local_id(0), first = get_group_id(0) * TILE;
  const int valid = min(TILE, n - first);
  if (thread < DIGITS)
    global_starts[thread] = starts[thread * get_num_groups(0) + get_group_id(0)];
  for (int digit = 0; digit < DIGITS; ++digit)
    counters[digit * THREADS + thread] = 0;

  uint own[KEYS];
  for (int k = 0; k < KEYS; ++k) {
    const int i = thread * KEYS + k;
    if (i < valid) {
      own[k] = keys[first + i];
      ++counters[digitOf(own[k], shift) * THREADS + thread];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  __local uint *part = counters + thread * DIGITS;
  uint sum = 0, total;
  for (int i = 0; i < DIGITS; ++i)
    sum += part[i];
  sum = scanGroup(sum, sums, &total);
  for (int i = 0; i < DIGITS; ++i) {
    const uint count = part[i];
    part[i] = sum;
    sum += count;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread < DIGITS)
    digit_starts[thread] = counters[thread * THREADS];
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int k = 0; k < KEYS; ++k)
    if (thread * KEYS + k < valid)
      ordered[counters[digitOf(own[k], shift) * THREADS + thread]++] = own[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = thread; i < valid; i += THREADS) {
    const uint key = ordered[i];
    const int digit = digitOf(key, shift);
    out[global_starts[digit] + i - digit_starts[digit]] = key;
  }
}
