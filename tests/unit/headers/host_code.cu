// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code of a .cu file: launches, managed and constant variables, annotations, unqualified min
// and max beside "using namespace std".
#include "every.h"

#include "abi.h"
#include "guards.h"

#include <algorithm>

using namespace std;

__device__ __managed__ int counter = 5;
__managed__ float scale[4];
static __managed__ __device__ double total;
__constant__ float weights[8];
__device__ float *buffer;

struct __align__(8) Pair {
  int first;
  float second;
};

__noinline__ __device__ float weigh(float x) { return x * weights[0]; }
static __device__ __forceinline__ float bound(float x) { return max(x, CUDART_PI_F); }

__global__ void __launch_bounds__(256, 2) fillRow(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = bound(weigh(scale[0]));
  counter = min(i, n);
}

template <class T>
__global__ void __launch_bounds__(128) setAll(T *out, const __grid_constant__ Pair value) {
  out[threadIdx.x] = value.second;
}

int run(cudaStream_t stream) {
  float *data;
  cudaMallocManaged(&data, 1024);
  fillRow<<<1, 32>>>(data, 8);
  fillRow<<<dim3(1, 2), 32, 0, stream>>>(data, 8);
  setAll<float><<<1, 32>>>(data, Pair{1, 2.f});
  cudaMemcpyToSymbol(weights, data, 32);
  cudaMemcpyToSymbol(buffer, &data, sizeof(data));
  cudaFuncSetAttribute(setAll<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  int grid, block;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, fillRow);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph);
  cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
  void *args[] = {&data, &grid};
  cudaLaunchKernel((void *)fillRow, dim3(1), dim3(32), args, 0, stream);
  cudaLaunchCooperativeKernel(fillRow, dim3(1), dim3(32), args);
  counter = min(grid, 4);
  total += max(1.0, (double)scale[1]);
  return counter + (int)min(sizeof(int), (size_t)8) + (int)max(1u, 2u);
}
