// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Peer access that is impossible, enabled twice or not enabled.
// env: HEDDLE_DEVICES=2
// hardware: skip needs two devices
#include "check.h"

int main() {
  CHECK_EQ(cudaDeviceEnablePeerAccess(5, 0), cudaErrorInvalidDevice);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) != cudaSuccess); // to itself
  CHECK_EQ(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue);
  CHECK_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  CHECK_CUDA(cudaDeviceEnablePeerAccess(1, 0));
  CHECK_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  CHECK_EQ(cudaGetLastError(), cudaErrorPeerAccessAlreadyEnabled);
  CHECK_CUDA(cudaDeviceDisablePeerAccess(1));
  RETURN_RESULT();
}
