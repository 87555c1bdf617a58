// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that are wider than their pitch are refused with cudaErrorInvalidPitchValue.
#include "check.h"

int main() {
  DeviceBuffer<char> data(1000);
  std::vector<char> host(1000);
  CHECK_EQ(cudaMemcpy2D(data, 10, host.data(), 20, 15, 5, cudaMemcpyHostToDevice),
           cudaErrorInvalidPitchValue);
  CHECK_EQ(cudaMemcpy2D(data, 20, host.data(), 10, 15, 5, cudaMemcpyHostToDevice),
           cudaErrorInvalidPitchValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidPitchValue);
  CHECK_EQ(cudaMemcpy2D(data, 1 << 20, host.data(), 20, 15, 50, cudaMemcpyHostToDevice),
           cudaErrorInvalidValue); // the last row ends far outside
  (void)cudaGetLastError();
  CHECK_CUDA(cudaMemcpy2D(data, 20, host.data(), 20, 15, 50, cudaMemcpyHostToDevice));
  RETURN_RESULT();
}
