// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __all_sync, __any_sync, __ballot_sync and __activemask for whole warps, partial masks and
// divergent branches.
#include "check.h"

__global__ void vote(unsigned *out) {
  const int lane = threadIdx.x % 32;
  unsigned *own = out + threadIdx.x * 10;
  own[0] = __ballot_sync(0xffffffff, lane % 3 == 0);
  own[1] = __all_sync(0xffffffff, lane < 32) != 0;
  own[2] = __all_sync(0xffffffff, lane != 31) != 0;
  own[3] = __any_sync(0xffffffff, lane == 17) != 0;
  own[4] = __any_sync(0xffffffff, lane > 31) != 0;
  own[5] = __ballot_sync(0xffffffff, -lane); // any non-zero value votes
  if (lane % 2) {
    own[6] = __ballot_sync(0xaaaaaaaa, lane > 8);
    own[7] = __all_sync(0xaaaaaaaa, lane % 2) != 0;
    own[8] = __activemask();
  } else {
    own[6] = __ballot_sync(0x55555555, lane > 8);
    own[7] = __any_sync(0x55555555, lane % 2) != 0;
    own[8] = __activemask();
  }
  __syncwarp();
  own[9] = __ballot_sync(0xffffffff, threadIdx.x / 32);
}

int main() {
  DeviceBuffer<unsigned> out(640);
  vote<<<1, 64>>>(out);
  const std::vector<unsigned> result = out.download();
  for (int t = 0; t < 64; ++t) {
    const unsigned *own = &result[t * 10], lane = t % 32;
    const unsigned side = lane % 2 ? 0xaaaaaaaa : 0x55555555;
    CHECK_EQ(own[0], 0x49249249);
    CHECK_EQ(own[1], 1);
    CHECK_EQ(own[2], 0);
    CHECK_EQ(own[3], 1);
    CHECK_EQ(own[4], 0);
    CHECK_EQ(own[5], 0xfffffffe);
    CHECK_EQ(own[6], side & 0xfffffe00);
    CHECK_EQ(own[7], lane % 2);
    CHECK_EQ(own[8] >> lane & 1, 1); // the compiler may have merged the two sides
    CHECK_EQ(own[9], t < 32 ? 0 : 0xffffffff);
  }
  RETURN_RESULT();
}
