// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With NDEBUG an assert on the device is nothing: its condition is not evaluated.
// flags: -DNDEBUG
#include "check.h"
#include <cassert>

__global__ void count(int *evaluated) { assert(++*evaluated < 0); }

int main() {
  DeviceBuffer<int> evaluated(1);
  count<<<1, 1>>>(evaluated);
  CHECK_EQ(evaluated.download()[0], 0);
  RETURN_RESULT();
}
