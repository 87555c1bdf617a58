// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// assert with a true condition does nothing, and evaluates its condition.
#include "check.h"
#include <cassert>

__global__ void assertAll(int *out) {
  const int t = threadIdx.x;
  int evaluated = 0;
  assert(t < 64);
  assert(++evaluated == 1 && "with a message");
  out[t] = evaluated;
}

int main() {
  DeviceBuffer<int> out(64);
  assertAll<<<1, 64>>>(out);
  for (int evaluated : out.download())
    CHECK_EQ(evaluated, 1);
  RETURN_RESULT();
}
