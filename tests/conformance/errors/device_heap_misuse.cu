// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Freeing device memory twice in a kernel: an error of the kernel, not of the host process.
// flags: -lineinfo
// stderr-contains: no longer, allocated
// stderr-contains: in freeTwice
// hardware: skip a GPU corrupts its heap
#include "fault.h"

__global__ void freeTwice(int **kept) { free(*kept); }

__global__ void allocate(int **kept) { *kept = static_cast<int *>(malloc(100)); }

int main() {
  int **kept;
  CHECK_CUDA(cudaMalloc(&kept, sizeof(int *)));
  allocate<<<1, 1>>>(kept);
  freeTwice<<<1, 1>>>(kept);
  CHECK_CUDA(cudaDeviceSynchronize());
  freeTwice<<<1, 1>>>(kept);
  checkFault(cudaErrorLaunchFailure);
  RETURN_RESULT();
}
