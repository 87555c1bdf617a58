// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// goto forwards, backwards, out of nested loops and into the body of a loop (irreducible control
// flow), divergent between lanes.
#include "check.h"

__host__ __device__ int jump(int value) {
  int sum = 0, i = 0;
again:
  sum += i;
  if (++i < value % 7)
    goto again;
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < 5; ++b) {
      if (a * b == value % 11)
        goto found;
      sum += 100;
    }
  sum += 10000;
found:
  if (value % 2)
    goto middle; // enters the loop below at its middle
  while (i < 20) {
    i += 3;
  middle:
    sum += i;
    i += 2;
  }
  return sum;
}

__global__ void jumpAll(int *out) { out[threadIdx.x] = jump(threadIdx.x); }

int main() {
  DeviceBuffer<int> out(96);
  jumpAll<<<1, 96>>>(out);
  const std::vector<int> result = out.download();
  for (int i = 0; i < 96; ++i)
    CHECK_EQ(result[i], jump(i));
  RETURN_RESULT();
}
