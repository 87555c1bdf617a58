// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cannot be built: edges that exist, lead to themselves or to another graph; unknown handles;
// kernels that cannot be launched. A cycle is found when the graph is instantiated.
#include "graphs.h"

int main() {
  cudaGraph_t graph = newGraph(), other = newGraph();
  cudaGraphNode_t a = addEmpty(graph), b = addEmpty(graph, {a}), foreign = addEmpty(other);
  cudaGraphNode_t node = nullptr;
  CHECK_EQ(taken(addEdge(graph, a, b)), cudaErrorInvalidValue);
  CHECK_EQ(taken(addEdge(graph, a, a)), cudaErrorInvalidValue);
  CHECK_EQ(taken(addEdge(graph, a, foreign)), cudaErrorInvalidValue);
  CHECK_EQ(taken(cudaGraphAddEmptyNode(&node, graph, &foreign, 1)), cudaErrorInvalidValue);
  Nodes twice = {a, a};
  CHECK_EQ(taken(cudaGraphAddEmptyNode(&node, graph, twice.data(), 2)), cudaErrorInvalidValue);
  CHECK_EQ(taken(cudaGraphAddEmptyNode(&node, graph, nullptr, 2)), cudaErrorInvalidValue);
  CHECK_EQ(taken(cudaGraphAddEmptyNode(&node, nullptr, nullptr, 0)), cudaErrorInvalidValue);
  CHECK_EQ(taken(cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0)), cudaErrorInvalidValue);
  CHECK_EQ(taken(cudaGraphDestroy(nullptr)), cudaErrorInvalidValue);
  CHECK_EQ(taken(cudaGraphDestroyNode(nullptr)), cudaErrorInvalidValue);
  CHECK_EQ(taken(cudaGraphCreate(&other, 1)), cudaErrorInvalidValue);

  int *pointer = nullptr, value = 0;
  void *arguments[] = {&pointer, &value};
  cudaKernelNodeParams params = kernelParams(addTo, arguments, 1, 4096);
  CHECK_EQ(taken(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params)), cudaErrorInvalidValue);
  params = kernelParams(addTo, arguments, 0, 1);
  CHECK_EQ(taken(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params)), cudaErrorInvalidValue);
  params = kernelParams(addTo, nullptr);
  CHECK_EQ(taken(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params)), cudaErrorInvalidValue);
  params = kernelParams(addTo, arguments);
  params.sharedMemBytes = 1 << 20;
  CHECK_EQ(taken(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params)), cudaErrorInvalidValue);
  CHECK_EQ(nodesOf(graph).size(), size_t(2));

  cudaGraphExec_t exec = nullptr;
  CHECK_EQ(addEdge(graph, b, a), cudaSuccess);
  CHECK_EQ(taken(cudaGraphInstantiate(&exec, graph, 0)), cudaErrorInvalidValue);
  cudaGraphInstantiateParams with = {};
  CHECK_EQ(taken(cudaGraphInstantiateWithParams(&exec, graph, &with)), cudaErrorInvalidValue);
  CHECK_EQ(int(with.result_out), int(cudaGraphInstantiateInvalidStructure));
  CHECK(with.errNode_out == a || with.errNode_out == b);
  CHECK_EQ(removeEdge(graph, b, a), cudaSuccess);
  CHECK_EQ(taken(cudaGraphInstantiate(&exec, graph, 64)), cudaErrorInvalidValue);
  CHECK_EQ(taken(cudaGraphInstantiate(&exec, nullptr, 0)), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  RETURN_RESULT();
}
