// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// &&, || and ?: evaluate their right side only for the lanes that need it: a guarded null
// pointer is not read, side effects happen once.
#include "check.h"

__device__ bool touch(int *counter, bool value) {
  atomicAdd(counter, 1);
  return value;
}

__global__ void guarded(const int *const *pointers, int *out, int *counters) {
  const int t = threadIdx.x;
  const int *pointer = pointers[t];
  out[t] = pointer && *pointer > 5 ? *pointer : -1;
  if (t % 2 == 0 && touch(&counters[0], true))
    out[t] += 1000;
  if (t % 4 == 0 || touch(&counters[1], false))
    out[t] += 2000;
  const int chosen = t < 10 ? touch(&counters[2], true) : 2 * touch(&counters[3], true);
  out[t] += chosen * 10000;
}

int main() {
  const int n = 32;
  DeviceBuffer<int> values(std::vector<int>{3, 8}), out(n), counters(4);
  std::vector<const int *> pointers(n);
  for (int i = 0; i < n; ++i)
    pointers[i] = i % 3 == 0 ? nullptr : values + i % 3 - 1;
  DeviceBuffer<const int *> devicePointers(pointers);
  guarded<<<1, n>>>(devicePointers, out, counters);
  const std::vector<int> result = out.download(), counts = counters.download();
  for (int t = 0; t < n; ++t)
    CHECK_EQ(result[t], (t % 3 == 2 ? 8 : -1) + (t % 2 ? 0 : 1000) + (t % 4 ? 0 : 2000) +
                            (t < 10 ? 10000 : 20000));
  CHECK(counts[0] == 16 && counts[1] == 24 && counts[2] == 10 && counts[3] == 22);
  RETURN_RESULT();
}
