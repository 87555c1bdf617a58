// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers to device functions across files: tables with functions of both, pointers that the host
// carries from one file's kernel to the other's, one address for one function.
// flags: -rdc=true
// also: parts/function_pointers_there.cu
#include "check.h"
#include "parts/function_pointers.h"

__device__ int negate(int value) { return -value; }

__device__ Operation mixed[] = {negate, square, increment, negate};
__device__ Operation chosen = square;

__global__ void applyMixed(int *out) {
  out[threadIdx.x] = mixed[threadIdx.x % 4](int(threadIdx.x));
}

__global__ void compare(int *out) {
  out[0] = squareAsSeenThere() == static_cast<Operation>(square);
  out[1] = inlineAsSeenThere() == static_cast<Operation>(halve);
  out[2] = operations[1](9); // the other file's table, this file's function
}

int main() {
  DeviceBuffer<int> out(64);
  applyMixed<<<1, 64>>>(out);
  for (int i = 0; i < 64; ++i) {
    const int expected[] = {-i, i * i, i + 1, -i};
    CHECK_EQ(out.download()[i], expected[i % 4]);
  }
  compare<<<1, 1>>>(out);
  CHECK_EQ(out.download()[0], 1);
  CHECK_EQ(out.download()[1], 1);
  CHECK_EQ(out.download()[2], -9);

  Operation carried = nullptr;
  CHECK_CUDA(cudaMemcpyFromSymbol(&carried, chosen, sizeof carried));
  applyThere(carried, out, 12);
  CHECK_EQ(out.download()[0], 144);
  CHECK_CUDA(cudaMemcpyFromSymbol(&carried, operations, sizeof carried));
  CHECK_CUDA(cudaMemcpyToSymbol(mixed, &carried, sizeof carried, sizeof carried));
  applyMixed<<<1, 64>>>(out);
  CHECK_EQ(out.download()[5], 6);
  RETURN_RESULT();
}
