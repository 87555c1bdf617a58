// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h"

__global__ void __launch_bounds__(128) there(int *out, int offset) {
  out[threadIdx.x] = int(threadIdx.x) + offset;
}

extern "C" __global__ void withShared(int *out) {
  extern __shared__ int row[];
  row[threadIdx.x] = int(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = row[31 - threadIdx.x];
}

const void *kernelThere() { return reinterpret_cast<const void *>(there); }

void launchHere(int *out) { here<<<1, 1>>>(out); }

void fillThere(int *out) { fill<<<1, 1>>>(out, 1.5f); }
