// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __syncthreads_count, __syncthreads_and and __syncthreads_or over a block of two and a half
// warps, repeated with changing predicates.
#include "check.h"

__global__ void votes(int *out) {
  const int t = threadIdx.x;
  for (int round = 0; round < 4; ++round) {
    int *own = out + (round * blockDim.x + t) * 3;
    own[0] = __syncthreads_count(t % (round + 2) == 0 ? -7 : 0); // counts non-zero predicates
    own[1] = __syncthreads_and(t + round > 0) != 0;
    own[2] = __syncthreads_or(t == 79 + round) != 0;
  }
}

int main() {
  const int threads = 80;
  DeviceBuffer<int> out(threads * 12);
  votes<<<1, threads>>>(out);
  const std::vector<int> result = out.download();
  for (int round = 0; round < 4; ++round)
    for (int t = 0; t < threads; ++t) {
      const int *own = &result[(round * threads + t) * 3];
      CHECK_EQ(own[0], (threads + round + 1) / (round + 2));
      CHECK_EQ(own[1], round > 0);
      CHECK_EQ(own[2], round == 0);
    }
  RETURN_RESULT();
}
