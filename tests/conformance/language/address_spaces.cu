// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generic pointers to global, shared, local and constant memory through one function, chosen
// differently by each lane; __isGlobal, __isShared, __isLocal tell them apart.
#include "check.h"

__device__ int global[4] = {100, 101, 102, 103};
__constant__ int constant[4] = {300, 301, 302, 303};

__noinline__ __device__ int readTwice(const int *pointer) { return pointer[0] * 1000 + pointer[1]; }
__noinline__ __device__ void writeThrough(int *pointer, int value) { *pointer = value; }

__global__ void choose(int *out) {
  __shared__ int shared[4];
  int local[4] = {400, 401, 402, 403};
  const int t = threadIdx.x;
  if (t < 4)
    shared[t] = 200 + t;
  __syncthreads();
  writeThrough(&local[1], 499);
  if (t == 0)
    writeThrough(&shared[2], 299);
  __syncthreads();
  const int *pointers[4] = {global, shared, constant, local};
  out[t] = readTwice(pointers[t % 4] + t / 4 % 3);
  const int *p = pointers[t % 4];
  out[32 + t] = (__isGlobal(p) != 0) + 2 * (__isShared(p) != 0) + 4 * (__isLocal(p) != 0);
}

int main() {
  DeviceBuffer<int> out(64);
  choose<<<1, 32>>>(out);
  const std::vector<int> result = out.download();
  const int values[4][4] = {
      {100, 101, 102, 103}, {200, 201, 299, 203}, {300, 301, 302, 303}, {400, 499, 402, 403}};
  for (int t = 0; t < 32; ++t) {
    const int *row = values[t % 4] + t / 4 % 3;
    CHECK_EQ(result[t], row[0] * 1000 + row[1]);
    if (t % 4 != 2) // constant memory may count as global
      CHECK_EQ(result[32 + t], t % 4 == 0 ? 1 : t % 4 == 1 ? 2 : 4);
  }
  RETURN_RESULT();
}
