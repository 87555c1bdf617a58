// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __reduce_add_sync, min, max, and, or and xor over whole and partial warps.
// flags: -arch=sm_80
// env: HEDDLE_GPU=a100
#include "check.h"

__global__ void reduceAll(unsigned *out) {
  const int lane = threadIdx.x;
  unsigned *own = out + 8 * lane;
  own[0] = __reduce_add_sync(0xffffffff, lane);
  own[1] = __reduce_min_sync(0xffffffff, -lane);
  own[2] = __reduce_max_sync(0xffffffff, unsigned(-lane));
  own[3] = __reduce_or_sync(0xffffffff, 1u << lane % 7);
  own[4] = __reduce_and_sync(0xffffffff, ~(1u << lane));
  own[5] = __reduce_xor_sync(0xffffffff, unsigned(lane * 3));
  if (lane % 2)
    own[6] = __reduce_add_sync(0xaaaaaaaa, unsigned(lane));
  else
    own[6] = __reduce_max_sync(0x55555555, lane - 20);
}

int main() {
  DeviceBuffer<unsigned> out(256);
  reduceAll<<<1, 32>>>(out);
  const std::vector<unsigned> result = out.download();
  unsigned parity = 0;
  for (int lane = 0; lane < 32; ++lane)
    parity ^= lane * 3;
  for (int lane = 0; lane < 32; ++lane) {
    const unsigned *own = &result[8 * lane];
    CHECK_EQ(own[0], 496);
    CHECK_EQ(int(own[1]), -31);
    CHECK_EQ(own[2], 0xffffffff);
    CHECK_EQ(own[3], 0x7f);
    CHECK_EQ(own[4], 0);
    CHECK_EQ(own[5], parity);
    CHECK_EQ(own[6], lane % 2 ? 256 : 10);
  }
  RETURN_RESULT();
}
