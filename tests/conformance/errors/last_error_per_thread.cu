// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last error belongs to the host thread whose call failed.
#include "check.h"
#include <thread>

int main() {
  CHECK_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  std::thread([] {
    CHECK_EQ(cudaGetLastError(), cudaSuccess);
    CHECK_EQ(cudaFree(reinterpret_cast<void *>(16)), cudaErrorInvalidValue);
    CHECK_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  }).join();
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  RETURN_RESULT();
}
