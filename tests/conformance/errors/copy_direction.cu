// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Directions that do not fit the pointers, or that do not exist.
#include "check.h"

int main() {
  DeviceBuffer<int> a(10), b(10);
  std::vector<int> host(10), other(10);
  CHECK_EQ(cudaMemcpy(a, host.data(), 4, static_cast<cudaMemcpyKind>(77)),
           cudaErrorInvalidMemcpyDirection);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidMemcpyDirection);
  CHECK_EQ(cudaMemcpy(host.data(), other.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemcpy(host.data(), other.data(), 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemcpy(host.data(), a, 4, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemcpy(nullptr, a, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemcpy(a, nullptr, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemset(host.data(), 0, 4), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemset(nullptr, 0, 4), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CHECK_CUDA(cudaMemcpy(a, b, 4, cudaMemcpyDeviceToDevice));
  RETURN_RESULT();
}
