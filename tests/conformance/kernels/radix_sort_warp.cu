// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Radix sort of 32 keys in one warp by ballots, without a block barrier: each step's ballot must
// see all 32 lanes' bits.
#include "check.h"

__global__ void sortWarp(unsigned *keys) {
  __shared__ unsigned shared[32];
  const unsigned lane = threadIdx.x, below = (1u << lane) - 1;
  unsigned key = keys[blockIdx.x * 32 + lane];
  for (int bit = 0; bit < 32; ++bit) {
    const unsigned ones = __ballot_sync(0xffffffff, key >> bit & 1);
    const unsigned position =
        key >> bit & 1 ? __popc(~ones) + __popc(ones & below) : __popc(~ones & below);
    shared[position] = key;
    __syncwarp();
    key = shared[lane];
    __syncwarp();
  }
  keys[blockIdx.x * 32 + lane] = key;
}

int main() {
  const int warps = 4;
  std::vector<unsigned> keys(32 * warps);
  unsigned state = 12345;
  for (unsigned &key : keys)
    key = state = state * 1664525u + 1013904223u;
  DeviceBuffer<unsigned> device(keys);
  sortWarp<<<warps, 32>>>(device);
  const std::vector<unsigned> sorted = device.download();
  for (int warp = 0; warp < warps; ++warp) {
    unsigned long long before = 0, after = 0;
    for (int i = 0; i < 32; ++i) {
      before += keys[warp * 32 + i];
      after += sorted[warp * 32 + i];
      if (i > 0)
        CHECK(sorted[warp * 32 + i - 1] <= sorted[warp * 32 + i]);
    }
    CHECK_EQ(after, before);
  }
  RETURN_RESULT();
}
