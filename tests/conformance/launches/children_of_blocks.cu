// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// More parent blocks than a device holds, each with several children; a child knows its own grid.
#include "../check.h"

__global__ void child(int *seen, int parent, int z) {
  if (gridDim.z == z && blockDim.x == 8 && blockDim.y == 2)
    atomicAdd(&seen[parent], (int)(blockIdx.z + threadIdx.y * 100));
}

__global__ void parent(int *seen) {
  const int me = blockIdx.x + gridDim.x * blockIdx.y;
  if (threadIdx.x < 3)
    child<<<dim3(1, 1, threadIdx.x + 1), dim3(8, 2)>>>(seen, me, threadIdx.x + 1);
}

int main() {
  DeviceBuffer<int> seen(40 * 50);
  // A GPU forgets launches beyond these, which are 2,048 if nothing is said (seen on an H200).
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 8192));
  parent<<<dim3(40, 50), 64>>>(seen);
  // Per child of z blocks: the sum of z's below it for 16 threads, and 100 for 8 threads a block.
  int expected = 0;
  for (int z = 1; z <= 3; ++z)
    expected += z * (z - 1) / 2 * 16 + 100 * 8 * z;
  for (int value : seen.download())
    CHECK_EQ(value, expected);
  RETURN_RESULT();
}
