// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Narrowing conversions of non-constants in braces, which nvcc and g++ only warn about.
#include "check.h"

struct Bytes {
  unsigned char a, b;
};

__global__ void narrow(int n, float *out) {
  float values[2] = {n, n + 1};
  const Bytes bytes = {n, n * 100};
  dim3 size = {unsigned(n), 2, 3};
  out[0] = values[0] + values[1] + bytes.a + bytes.b + size.x;
}

int main() {
  int width = 3;
  dim3 block = {width, 1, 1};
  DeviceBuffer<float> out(1);
  narrow<<<1, block>>>(width, out);
  CHECK_EQ(out.download()[0], 3 + 4 + 3 + 44 + 3);
  RETURN_RESULT();
}
