// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// grid.sync() where one block has left: the grid can never meet. An error, not a hang.
// timeout: 30
// hardware: skip a GPU would hang
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void meet(int *out) {
  if (blockIdx.x == 1)
    return;
  cg::this_grid().sync();
  *out = 1;
}

int main() {
  int *out;
  CHECK_CUDA(cudaMalloc(&out, sizeof(int)));
  void *arguments[] = {&out};
  CHECK_CUDA(cudaLaunchCooperativeKernel((const void *)meet, 2, 32, arguments));
  const cudaError_t error = cudaDeviceSynchronize();
  CHECK(error != cudaSuccess);
  RETURN_RESULT();
}
