// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A refused launch does not hinder the next one, whose success does not hide the error.
#include "check.h"

__global__ void count(int *counter) { atomicAdd(counter, 1); }

int main() {
  DeviceBuffer<int> counter(1);
  count<<<1, 10>>>(counter);
  count<<<1, 5000>>>(counter); // refused
  count<<<2, 10>>>(counter);
  CHECK(cudaPeekAtLastError() != cudaSuccess);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  CHECK(cudaGetLastError() != cudaSuccess);
  CHECK_EQ(counter.download()[0], 30);
  RETURN_RESULT();
}
