// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels call device functions of another file: overloaded, recursive back and forth between the
// files, with structures and references, with barriers, shuffles and shared memory inside.
// flags: -rdc=true
// also: parts/functions_there.cu
#include "check.h"
#include "parts/functions.h"

__device__ unsigned ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : ackermannThere(m, n);
}

__global__ void callAll(int *out) {
  out[0] = twice(21);
  out[1] = int(twice(1.25f) * 2);
  Pair pair = {3, 4};
  swapPair(pair);
  out[2] = pair.first * 10 + pair.second;
  out[3] = int(ackermann(2, 3));
  out[4] = sumOfPair({5, 6});
}

__global__ void sumBlocks(const int *in, int *out) {
  __shared__ int scratch[64];
  const int sum = blockSum(in[blockIdx.x * blockDim.x + threadIdx.x], scratch);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

__global__ void throughDynamicShared(int *out) {
  extern __shared__ int row[];
  row[threadIdx.x] = int(threadIdx.x) * 3;
  __syncthreads();
  out[threadIdx.x] = reversedFromShared();
}

int main() {
  DeviceBuffer<int> out(5);
  callAll<<<1, 1>>>(out);
  const std::vector<int> got = out.download();
  const int expected[] = {42, 5, 43, 9, 11};
  for (int i = 0; i < 5; ++i)
    CHECK_EQ(got[i], expected[i]);

  std::vector<int> numbers(256);
  int sums[4] = {};
  for (int i = 0; i < 256; ++i)
    sums[i / 64] += numbers[i] = i * i % 17;
  DeviceBuffer<int> in(numbers), block_sums(4);
  sumBlocks<<<4, 64>>>(in, block_sums);
  for (int i = 0; i < 4; ++i)
    CHECK_EQ(block_sums.download()[i], sums[i]);

  DeviceBuffer<int> reversed(96);
  throughDynamicShared<<<1, 96, 96 * sizeof(int)>>>(reversed);
  for (int i = 0; i < 96; ++i)
    CHECK_EQ(reversed.download()[i], (95 - i) * 3);
  RETURN_RESULT();
}
