// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function pointers on the device: a statically initialised table, one copied to the host and
// passed back as a kernel argument, and different targets in the lanes of one warp.
#include "check.h"

typedef int (*Operation)(int, int);

__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int larger(int a, int b) { return a > b ? a : b; }

__device__ Operation table[4] = {add, subtract, multiply, larger};
__constant__ Operation constantTable[2] = {multiply, add};
__device__ Operation single = subtract;

__global__ void fromTable(int *out) {
  const int t = threadIdx.x;
  out[t] = table[t % 4](t, 7) + constantTable[t / 16](t, 2);
}

__global__ void fromArgument(Operation operation, int *out) { out[32] = operation(50, 8); }

int main() {
  DeviceBuffer<int> out(33);
  fromTable<<<1, 32>>>(out);
  Operation operation = nullptr;
  CHECK_CUDA(cudaMemcpyFromSymbol(&operation, single, sizeof operation));
  fromArgument<<<1, 1>>>(operation, out);
  const std::vector<int> result = out.download();
  for (int t = 0; t < 32; ++t) {
    const int expected[4] = {t + 7, t - 7, t * 7, t > 7 ? t : 7};
    CHECK_EQ(result[t], expected[t % 4] + (t < 16 ? t * 2 : t + 2));
  }
  CHECK_EQ(result[32], 42);
  RETURN_RESULT();
}
