// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// Grids may be as deep as launches may be pending: the 2049th level fails.
#include "../check.h"

__global__ void descend(int *deepest, int level, int *error) {
  *deepest = level;
  descend<<<1, 1>>>(deepest, level + 1, error);
  const cudaError_t failure = cudaGetLastError();
  if (failure != cudaSuccess)
    *error = failure;
}

int main() {
  DeviceBuffer<int> deepest(1), error(1);
  descend<<<1, 1>>>(deepest, 0, error);
  CHECK_EQ(error.download()[0], cudaErrorLaunchPendingCountExceeded);
  CHECK_EQ(deepest.download()[0], 2048);
  RETURN_RESULT();
}
