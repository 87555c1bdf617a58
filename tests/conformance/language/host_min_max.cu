// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// min and max unqualified on the host, as nvcc's headers provide them, and mixed argument types
// on the device.
#include "check.h"

__global__ void onDevice(double *out) {
  out[0] = min(3, 4) + max(2.5f, 1.0f) + min(7u, 9u) + max(1ll, 2ll);
  out[1] = max(-1, 2) * 10 + min(1.5, 2.5);
  out[2] = fminf(1.0f, -0.5f) + fmax(2.0, 3.0);
}

int main() {
  DeviceBuffer<double> out(3);
  onDevice<<<1, 1>>>(out);
  CHECK_EQ(out.download()[0], 14.5);
  CHECK_EQ(out.download()[1], 21.5);
  CHECK_EQ(out.download()[2], 2.5);
  CHECK_EQ(min(3, 4) + max(2, 9), 12);
  CHECK_EQ(max(2.5f, 1.0f) + min(1.5, 2.5), 4.0);
  CHECK_EQ(min(7u, 9u), 7);
  RETURN_RESULT();
}
