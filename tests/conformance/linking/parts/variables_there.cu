// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "variables.h"

#include <cuda_runtime.h>

__device__ int there = 30;
__device__ int *to_here = &here;
__device__ int table[] = {1, 2, 3, 4};
__constant__ int coefficients[3] = {10, 20, 30};
__constant__ Settings settings = {6, 7};

namespace {

__global__ void fill(int first) { table[threadIdx.x] = first + int(threadIdx.x); }

} // namespace

int readThereOnItsSide() {
  int value = 0;
  cudaMemcpyFromSymbol(&value, there, sizeof value);
  return value;
}

void setTableOnItsSide(int first) { fill<<<1, 4>>>(first); }

void *addressOfThereOnItsSide() {
  void *address = nullptr;
  cudaGetSymbolAddress(&address, there);
  return address;
}
