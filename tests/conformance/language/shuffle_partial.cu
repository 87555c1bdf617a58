// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles inside divergent branches with partial masks: both sides exchange among themselves,
// also in a partial last warp.
#include "check.h"

__global__ void partial(int *out) {
  const int t = threadIdx.x, lane = t % 32;
  int value = t;
  if (lane < 12) {
    value = __shfl_sync(0x00000fff, value, (lane + 1) % 12);
  } else if (t < 32) {
    value = 1000 + __shfl_down_sync(0xfffff000, value, 1);
  } else {
    value = 2000 + __shfl_xor_sync(0x0000f000, value, 1); // lanes 12..15 of the last warp
  }
  out[t] = value;
}

int main() {
  const int threads = 48;
  DeviceBuffer<int> out(threads);
  partial<<<1, threads>>>(out);
  const std::vector<int> result = out.download();
  for (int t = 0; t < threads; ++t) {
    const int lane = t % 32, warp = t / 32 * 32;
    if (lane < 12)
      CHECK_EQ(result[t], warp + (lane + 1) % 12);
    else if (t < 32)
      CHECK_EQ(result[t], 1000 + (t == 31 ? 31 : t + 1));
    else
      CHECK_EQ(result[t], 2000 + (t ^ 1));
  }
  RETURN_RESULT();
}
