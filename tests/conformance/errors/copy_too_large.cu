// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills that do not fit an allocation are refused with cudaErrorInvalidValue, write
// nothing, and do no lasting harm.
#include "check.h"

int main() {
  const size_t n = 100;
  DeviceBuffer<int> data(std::vector<int>(n, 5));
  const size_t bytes = n * sizeof(int), large = 64 << 20;
  std::vector<int> host(large / sizeof(int), 7);
  CHECK_EQ(cudaMemcpy(data, host.data(), large, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  CHECK_EQ(cudaMemcpy(host.data(), data, large, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemset(data, 0, large), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemcpyAsync(data, host.data(), large, cudaMemcpyHostToDevice, 0),
           cudaErrorInvalidValue);
  CHECK_EQ(cudaMemcpyFromSymbol(host.data(), (const void *)host.data(), 4), cudaErrorInvalidSymbol);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidSymbol);
  for (int value : data.download())
    CHECK_EQ(value, 5);
  CHECK_CUDA(cudaMemcpy(data, host.data(), bytes, cudaMemcpyHostToDevice));
  RETURN_RESULT();
}
