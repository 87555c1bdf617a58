// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __match_any_sync groups lanes by value and __match_all_sync tells whether all agree, for 32-
// and 64-bit values and partial masks.
#include "check.h"

__global__ void match(unsigned *out) {
  const int lane = threadIdx.x;
  unsigned *own = out + 8 * lane;
  int same = 5;
  own[0] = __match_any_sync(0xffffffff, lane % 5);
  own[1] = __match_any_sync(0xffffffff, (long long)(lane / 8) << 40);
  own[2] = __match_any_sync(0xffffffff, lane < 16 ? 1.5f : -0.0f);
  own[3] = __match_all_sync(0xffffffff, 42, &same);
  own[4] = same != 0;
  own[5] = __match_all_sync(0xffffffff, lane == 9 ? 1ull << 63 : 0ull, &same);
  own[6] = same != 0;
  if (lane < 10)
    own[7] = __match_any_sync(0x3ff, lane / 4);
}

int main() {
  DeviceBuffer<unsigned> out(256);
  match<<<1, 32>>>(out);
  const std::vector<unsigned> result = out.download();
  for (int lane = 0; lane < 32; ++lane) {
    const unsigned *own = &result[8 * lane];
    unsigned modulo = 0;
    for (int i = lane % 5; i < 32; i += 5)
      modulo |= 1u << i;
    const unsigned quarters[3] = {0xf, 0xf0, 0x300};
    CHECK_EQ(own[0], modulo);
    CHECK_EQ(own[1], 0xffu << lane / 8 * 8);
    CHECK_EQ(own[2], lane < 16 ? 0xffff : 0xffff0000);
    CHECK_EQ(own[3], 0xffffffff);
    CHECK_EQ(own[4], 1);
    CHECK_EQ(own[5], 0);
    CHECK_EQ(own[6], 0);
    CHECK_EQ(own[7], lane < 10 ? quarters[lane / 4] : 0);
  }
  RETURN_RESULT();
}
