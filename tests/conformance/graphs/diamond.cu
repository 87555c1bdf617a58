// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two branches both see what came before them, and what comes behind sees both.
#include "graphs.h"

__global__ void fill(int *data, int value) { data[threadIdx.x] = value; }
__global__ void addFrom(int *to, const int *from, int value) { *to = *from + value; }
__global__ void sum(int *to, const int *a, const int *b) { *to = *a + *b; }

int main() {
  DeviceBuffer<int> data(4);
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t top = addKernel(graph, {}, fill, data.data(), 10);
  cudaGraphNode_t left = addKernel(graph, {top}, addFrom, data.data() + 1, data.data(), 1);
  cudaGraphNode_t right = addKernel(graph, {top}, addFrom, data.data() + 2, data.data(), 2);
  addKernel(graph, {left, right}, sum, data.data() + 3, data.data() + 1, data.data() + 2);
  Executable exec(graph);
  for (int i = 0; i < 50; ++i) {
    CHECK_CUDA(cudaMemset(data, 0, 4 * sizeof(int)));
    exec.run();
    CHECK_EQ(data.download()[3], 23);
  }
  RETURN_RESULT();
}
