// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits that do not exist.
#include "check.h"

int main() {
  size_t value = 0;
  CHECK_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1), cudaErrorUnsupportedLimit);
  CHECK_EQ(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(99)), cudaErrorUnsupportedLimit);
  CHECK_EQ(cudaGetLastError(), cudaErrorUnsupportedLimit);
  CHECK_EQ(cudaDeviceGetLimit(nullptr, cudaLimitStackSize), cudaErrorInvalidValue);
  RETURN_RESULT();
}
