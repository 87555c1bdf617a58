// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel node keeps copies of its arguments, and says what they are.
#include "graphs.h"

int main() {
  DeviceBuffer<int> sum(1);
  cudaGraph_t graph = newGraph();
  int *pointer = sum.data(), value = 7;
  void *arguments[] = {&pointer, &value};
  cudaKernelNodeParams params = kernelParams(addTo, arguments);
  cudaGraphNode_t node = nullptr;
  CHECK_CUDA(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  pointer = nullptr;
  value = 100;
  {
    Executable exec(graph);
    exec.run();
    exec.run();
  }
  CHECK_EQ(sum.download()[0], 14);

  cudaKernelNodeParams told = {};
  CHECK_CUDA(cudaGraphKernelNodeGetParams(node, &told));
  CHECK(told.func == reinterpret_cast<void *>(addTo));
  CHECK_EQ(told.gridDim.x, 1u);
  CHECK_EQ(told.blockDim.x, 1u);
  CHECK(told.extra == nullptr);
  CHECK_EQ(*static_cast<int **>(told.kernelParams[0]), sum.data());
  CHECK_EQ(*static_cast<int *>(told.kernelParams[1]), 7);

  // What it told may be changed and given back.
  value = 20;
  told.kernelParams[1] = &value;
  told.gridDim = dim3(3);
  CHECK_CUDA(cudaGraphKernelNodeSetParams(node, &told));
  Executable exec(graph);
  exec.run();
  CHECK_EQ(sum.download()[0], 14 + 60);
  RETURN_RESULT();
}
