// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels, copies and fills of an executable can be left out of launches.
#include "graphs.h"

int main() {
  DeviceBuffer<long long> digits(1);
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t one = addKernel(graph, {}, appendDigit, digits.data(), 1);
  cudaGraphNode_t two = addKernel(graph, {one}, appendDigit, digits.data(), 2);
  addKernel(graph, {two}, appendDigit, digits.data(), 3);
  cudaGraphNode_t host = addHost(graph, {}, [](void *) {}, nullptr);
  Executable exec(graph);
  unsigned enabled = 0;
  CHECK_CUDA(cudaGraphNodeGetEnabled(exec, two, &enabled));
  CHECK_EQ(enabled, 1u);
  CHECK_CUDA(cudaGraphNodeSetEnabled(exec, two, 0));
  CHECK_CUDA(cudaGraphNodeGetEnabled(exec, two, &enabled));
  CHECK_EQ(enabled, 0u);
  exec.run();
  CHECK_EQ(digits.download()[0], 13);
  CHECK_CUDA(cudaGraphNodeSetEnabled(exec, two, 1));
  exec.run();
  CHECK_EQ(digits.download()[0], 13123);
  CHECK_EQ(taken(cudaGraphNodeSetEnabled(exec, host, 0)), cudaErrorInvalidValue);
  RETURN_RESULT();
}
