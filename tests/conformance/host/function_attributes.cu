// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaFuncGetAttributes: what a kernel uses, and the limits that follow from how it was compiled.
#include "check.h"

__constant__ int settings[25];

__global__ void usesShared(int *out) {
  __shared__ int tile[1000];
  tile[threadIdx.x] = settings[threadIdx.x % 25];
  __syncthreads();
  *out = tile[threadIdx.x ^ 1];
}

__global__ void __launch_bounds__(128) bounded(int *out) { *out = threadIdx.x; }

template <class T> __global__ void plain(T *out) { *out = T(threadIdx.x); }

int main() {
  cudaFuncAttributes a;
  CHECK_CUDA(cudaFuncGetAttributes(&a, usesShared));
  CHECK_EQ(a.sharedSizeBytes, 4000);
  CHECK(a.constSizeBytes >= 100);
  CHECK(a.numRegs > 0 && a.numRegs <= 255);
  CHECK_EQ(a.maxThreadsPerBlock, 1024);
  CHECK(a.maxDynamicSharedSizeBytes >= 49152 - 4000 - 1024);
  CHECK(a.binaryVersion >= 75);
  CHECK(a.ptxVersion >= 50);
  CHECK_CUDA(cudaFuncGetAttributes(&a, bounded));
  CHECK_EQ(a.maxThreadsPerBlock, 128);
  CHECK_EQ(a.sharedSizeBytes, 0);
  CHECK_CUDA(cudaFuncGetAttributes(&a, plain<double>));
  CHECK_EQ(a.sharedSizeBytes, 0);
  CHECK_EQ(a.localSizeBytes, 0);
  CHECK_EQ(cudaFuncGetAttributes(nullptr, plain<double>), cudaErrorInvalidValue);
  RETURN_RESULT();
}
