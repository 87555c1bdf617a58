// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 4 KB of kernel parameters, the most that every GPU takes, indexed dynamically and differently
// by each lane.
#include "check.h"

struct Big {
  int values[1022];
};

__global__ void readBig(Big big, int *out) {
  const int t = threadIdx.x;
  out[t] = big.values[t] + big.values[1021 - t];
}

int main() {
  static_assert(sizeof(Big) + sizeof(int *) == 4096, "exactly 4 KB of parameters");
  Big big;
  for (int i = 0; i < 1022; ++i)
    big.values[i] = i * i;
  DeviceBuffer<int> out(512);
  readBig<<<1, 511>>>(big, out);
  const std::vector<int> result = out.download();
  for (int t = 0; t < 511; ++t)
    CHECK_EQ(result[t], t * t + (1021 - t) * (1021 - t));
  CHECK_EQ(result[511], 0);
  RETURN_RESULT();
}
