// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements that nvcc warns of: unroll pragmas that are ignored, and jumps past initialisations.
#include "check.h"

#include <cuda_fp16.h>

template <int count> __global__ void unrolled(int *out, int n) {
#pragma unroll count
  for (int i = 0; i < n; ++i)
    out[i] = i;
#pragma unroll 0
  for (int i = 0; i < n; ++i)
    out[i] += 1;
#pragma unroll
  out[n] = 7;
#pragma unroll
#pragma unroll 4
  for (int i = 0; i < n; ++i)
    out[i] *= 2;
#pragma unroll 4
  if (n > 2)
    out[n] += 1;
}

__global__ void jumps(int *out, int kind) {
  switch (kind) {
  case 1:
    int four = 4;
    out[0] = four;
    break;
  case 2:
    four = 5;
    out[0] = four;
    break;
  default:
    out[0] = 6;
  }
  if (kind == 3)
    goto end;
  int twice = 2 * kind;
  out[1] = twice;
end:
  out[2] = kind;
}

// A parameter that is written and not read.
__global__ void writesItsParameter(int *out, __half h) {
  h = __half(float(*out));
  *out = 1;
}

int main() {
  DeviceBuffer<int> out(9);
  unrolled<0><<<1, 1>>>(out, 8);
  unrolled<-1><<<1, 1>>>(out, 8);
  unrolled<4><<<1, 1>>>(out, 8);
  CHECK_CUDA(cudaDeviceSynchronize());
  const std::vector<int> numbers = out.download();
  for (int i = 0; i < 8; ++i)
    CHECK_EQ(numbers[i], 2 * (i + 1));
  CHECK_EQ(numbers[8], 8);
  const int expected[4] = {6, 4, 5, 6};
  for (int kind = 0; kind < 4; ++kind) {
    DeviceBuffer<int> three(3);
    CHECK_CUDA(cudaMemset(three, 0, 12));
    jumps<<<1, 1>>>(three, kind);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_EQ(three.download()[0], expected[kind]);
    CHECK_EQ(three.download()[1], kind == 3 ? 0 : 2 * kind);
    CHECK_EQ(three.download()[2], kind);
  }
  writesItsParameter<<<1, 1>>>(out, __half(1.f));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out.download()[0], 1);
  RETURN_RESULT();
}
