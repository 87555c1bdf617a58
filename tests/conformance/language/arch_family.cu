// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for sm_120f sees that it may use what its family has, and no more.
// flags: -gencode arch=compute_120f,code=sm_120f
// env: HEDDLE_GPU=rtx5090
// hardware: skip needs a GPU of compute capability 12.x
#include "check.h"

enum Seen { Arch, Family, Specific, OfFamily, OfAnotherFamily, Count };

__global__ void look(int *seen) {
#ifdef __CUDA_ARCH__
  seen[Arch] = __CUDA_ARCH__;
#ifdef __CUDA_ARCH_FAMILY_SPECIFIC__
  seen[Family] = __CUDA_ARCH_FAMILY_SPECIFIC__;
#endif
#if defined(__CUDA_ARCH_SPECIFIC__) || defined(__CUDA_ARCH_FEAT_SM120_ALL)
  seen[Specific] = 1;
#endif
  seen[OfFamily] = __CUDA_HAS_ARCH_FAMILY_SPECIFIC(120);
  seen[OfAnotherFamily] = __CUDA_HAS_ARCH_FAMILY_SPECIFIC(100);
#endif
}

int main() {
  DeviceBuffer<int> out(std::vector<int>(Count, 0));
  look<<<1, 1>>>(out.data());
  CHECK(out.download() == (std::vector<int>{1200, 1200, 0, 1, 0}));

  // 48 warps and 24 blocks a multiprocessor.
  int blocks = 0;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, look, 32, 0));
  CHECK_EQ(blocks, 24);
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, look, 512, 0));
  CHECK_EQ(blocks, 3);
  RETURN_RESULT();
}
