// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that enter a loop at different places are in different parts of it at the same time, and
// meet the same statement in different rounds.
#include "check.h"

__global__ void enter(const float *in, float *out, int *rounds) {
  const int lane = threadIdx.x;
  const int turns = lane & 3;
  float kept = 63, other = 69;
  int count = 0, first = 0;
  if (lane == 1)
    goto middle;
top:
  ++first;
middle:
  *(lane != 5 ? &kept : &other) = in[0];
  if (++count < turns)
    goto top;
  out[lane] = kept;
  rounds[lane] = 100 * first + count;
}

int main() {
  float *in, *out;
  int *rounds;
  CHECK_CUDA(cudaMallocManaged(&in, sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&out, 64 * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&rounds, 64 * sizeof(int)));
  in[0] = 7;
  enter<<<1, 64>>>(in, out, rounds);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int lane = 0; lane < 64; ++lane) {
    const int count = lane % 4 < 2 ? 1 : lane % 4;
    CHECK_EQ(out[lane], lane == 5 ? 63.0f : 7.0f);
    CHECK_EQ(rounds[lane], 100 * (lane == 1 ? count - 1 : count) + count);
  }
  RETURN_RESULT();
}
