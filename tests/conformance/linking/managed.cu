// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __managed__ variables of another file, used by host and kernels of both.
// flags: -rdc=true
// also: parts/managed_there.cu
#include "check.h"
#include "parts/managed.h"

__managed__ int count_here = 3;

__global__ void change() {
  count_there += 10;
  totals[threadIdx.x] += int(threadIdx.x);
  count_here += count_there;
}

int main() {
  CHECK_EQ(count_there, 100);
  count_there = 200;
  totals[1] = 50;
  change<<<1, 1>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(count_there, 210);
  CHECK_EQ(count_here, 213);
  changeThere();
  CHECK_EQ(count_here, 214);
  CHECK_EQ(totals[0], 1);
  CHECK_EQ(totals[1], 52);
  cudaPointerAttributes attributes = {};
  CHECK_CUDA(cudaPointerGetAttributes(&attributes, &count_there));
  CHECK_EQ(attributes.type, cudaMemoryTypeManaged);
  RETURN_RESULT();
}
