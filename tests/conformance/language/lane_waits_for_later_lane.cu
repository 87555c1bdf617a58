// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of one warp make progress independently: the first lane spins until the last one has
// written, and the first warp until the second has.
#include "check.h"

__global__ void wait(volatile int *flags, int *out) {
  const int t = threadIdx.x;
  if (t == 0) {
    while (flags[0] == 0) {
    }
    out[0] = flags[0];
  } else if (t == 31) {
    flags[0] = 7;
  }
  if (t == 5) {
    while (flags[1] == 0) {
    }
    out[1] = flags[1];
  } else if (t == 40) {
    flags[1] = 8;
  }
  out[2 + t] = t;
}

int main() {
  DeviceBuffer<int> flags(2), out(66);
  CHECK_CUDA(cudaMemset(flags.data(), 0, 2 * sizeof(int)));
  wait<<<1, 64>>>(flags.data(), out.data());
  const std::vector<int> result = out.download();
  CHECK_EQ(result[0], 7);
  CHECK_EQ(result[1], 8);
  for (int t = 0; t < 64; ++t)
    CHECK_EQ(result[2 + t], t);
  RETURN_RESULT();
}
