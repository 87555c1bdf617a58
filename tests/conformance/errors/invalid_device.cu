// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices that do not exist: every call says so, and the current device stays what it was.
#include "check.h"

int main() {
  int count = 0, current = -1, value = 0;
  CHECK_CUDA(cudaGetDeviceCount(&count));
  cudaDeviceProp properties;
  for (int device : {-1, count, 1000}) {
    CHECK_EQ(cudaSetDevice(device), cudaErrorInvalidDevice);
    CHECK_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
    CHECK_EQ(cudaGetDeviceProperties(&properties, device), cudaErrorInvalidDevice);
    CHECK_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, device), cudaErrorInvalidDevice);
    CHECK_EQ(cudaDeviceCanAccessPeer(&value, 0, device), cudaErrorInvalidDevice);
  }
  CHECK_CUDA(cudaGetDevice(&current));
  CHECK_EQ(current, 0);
  RETURN_RESULT();
}
