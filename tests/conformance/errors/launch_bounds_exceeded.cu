// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block larger than the kernel's __launch_bounds__ is refused.
#include "check.h"

__global__ void __launch_bounds__(64) count(int *counter) { atomicAdd(counter, 1); }

int main() {
  DeviceBuffer<int> counter(1);
  count<<<1, 65>>>(counter);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  count<<<1, 64>>>(counter);
  CHECK_EQ(counter.download()[0], 64);
  RETURN_RESULT();
}
