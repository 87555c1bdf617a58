// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same work as many launches, as one launch with a loop inside, and by recursion: one after
// the other in a stream, so that each launch sees what the one before it wrote.
#include "check.h"

const int n = 256, rounds = 1000;

__device__ unsigned next(unsigned x) { return x * 1664525u + 1013904223u; }

__global__ void once(unsigned *data) { data[threadIdx.x] = next(data[threadIdx.x]); }

__global__ void loop(unsigned *data, int count) {
  unsigned x = data[threadIdx.x];
  for (int i = 0; i < count; ++i)
    x = next(x);
  data[threadIdx.x] = x;
}

__device__ unsigned repeat(unsigned x, int count) {
  if (count == 0)
    return x;
  if (count == 1)
    return next(x);
  return repeat(repeat(x, count / 2), count - count / 2);
}

__global__ void recursive(unsigned *data, int count) {
  data[threadIdx.x] = repeat(data[threadIdx.x], count);
}

int main() {
  std::vector<unsigned> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = i;
  DeviceBuffer<unsigned> launched(values), looped(values), recursed(values);
  for (int i = 0; i < rounds; ++i)
    once<<<1, n>>>(launched);
  loop<<<1, n>>>(looped, rounds);
  recursive<<<1, n>>>(recursed, rounds);
  for (unsigned &x : values)
    for (int i = 0; i < rounds; ++i)
      x = x * 1664525u + 1013904223u;
  CHECK(launched.download() == values);
  CHECK(looped.download() == values);
  CHECK(recursed.download() == values);
  RETURN_RESULT();
}
