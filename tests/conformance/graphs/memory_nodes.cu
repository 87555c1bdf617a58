// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph allocates what its kernels use and frees it; the address is known before any launch and
// the same in all.
#include "memory.h"

__global__ void fill(int *data, int value) { data[threadIdx.x] = value + threadIdx.x; }
__global__ void sum(int *result, const int *data, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i)
    total += data[i];
  *result += total;
}

int main() {
  DeviceBuffer<int> result(1);
  cudaGraph_t graph = newGraph();
  Allocated memory = addAllocation(graph, {}, 1 << 20);
  CHECK(memory.pointer != nullptr);
  cudaMemAllocNodeParams told = {};
  CHECK_CUDA(cudaGraphMemAllocNodeGetParams(memory.node, &told));
  CHECK_EQ(told.bytesize, size_t(1 << 20));
  CHECK(told.dptr == memory.pointer);
  cudaGraphNode_t first = addKernel(graph, {memory.node}, fill, memory.pointer, 7);
  cudaGraphNode_t second = addKernel(graph, {first}, sum, result.data(), memory.pointer, 1);
  cudaGraphNode_t last = addFree(graph, {second}, memory.pointer);
  void *freed = nullptr;
  CHECK_CUDA(cudaGraphMemFreeNodeGetParams(last, &freed));
  CHECK(freed == memory.pointer);
  Executable exec(graph);
  for (int i = 1; i <= 3; ++i) {
    exec.run();
    CHECK_EQ(result.download()[0], 7 * i);
  }
  RETURN_RESULT();
}
