// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits that do not exist: one of the two errors that are documented for it.
#include "check.h"

static void checkRefused(cudaError_t error) {
  CHECK(error == cudaErrorUnsupportedLimit || error == cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), error);
}

int main() {
  size_t value = 12345;
  checkRefused(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1));
  checkRefused(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(99)));
  CHECK_EQ(value, 12345);
  CHECK_EQ(cudaDeviceGetLimit(nullptr, cudaLimitStackSize), cudaErrorInvalidValue);
  RETURN_RESULT();
}
