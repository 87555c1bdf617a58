// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __activemask in a divergent branch never names a lane that took the other way, and names all
// lanes of a warp that is whole.
#include "check.h"

__global__ void masks(unsigned *out) {
  const int lane = threadIdx.x;
  out[lane] = __activemask();
  if (lane >= 20) {
    out[32 + lane] = __activemask();
    if (lane == 25)
      out[64 + lane] = __activemask();
  }
}

int main() {
  DeviceBuffer<unsigned> out(96);
  masks<<<1, 32>>>(out);
  const std::vector<unsigned> result = out.download();
  for (int lane = 0; lane < 32; ++lane) {
    CHECK_EQ(result[lane], 0xffffffff);
    CHECK_EQ(result[32 + lane] & 0x000fffff, 0);
    if (lane >= 20)
      CHECK_EQ(result[32 + lane] >> lane & 1, 1);
  }
  CHECK_EQ(result[64 + 25], 1u << 25);
  RETURN_RESULT();
}
