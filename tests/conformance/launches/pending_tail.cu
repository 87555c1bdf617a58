// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// cudaLimitDevRuntimePendingLaunchCount bounds what waits in a grid's tail.
#include "../check.h"

__global__ void child(int *ran) { ++*ran; }

__global__ void parent(int *ran, int wanted, int *errors) {
  for (int i = 0; i < wanted; ++i) {
    child<<<1, 1, 0, cudaStreamTailLaunch>>>(ran);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
      ++errors[0];
      errors[1] = error;
    }
  }
}

int main() {
  DeviceBuffer<int> ran(1), errors(2);
  size_t limit = 0;
  CHECK_CUDA(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  CHECK_EQ(limit, size_t(2048));
  parent<<<1, 1>>>(ran, 2100, errors);
  CHECK_EQ(ran.download()[0], 2048);
  CHECK_EQ(errors.download()[0], 52);
  CHECK_EQ(errors.download()[1], cudaErrorLaunchPendingCountExceeded);

  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
  parent<<<1, 1>>>(ran, 2100, errors);
  CHECK_EQ(ran.download()[0], 2048 + 2100);
  CHECK_EQ(errors.download()[0], 52);
  RETURN_RESULT();
}
