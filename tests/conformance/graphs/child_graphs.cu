// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A child graph is copied when its node is made; all of it runs in the node's place. The copy may
// be changed before the parent is instantiated.
#include "graphs.h"

int main() {
  DeviceBuffer<long long> digits(1);
  cudaGraph_t child = newGraph();
  cudaGraphNode_t two = addKernel(child, {}, appendDigit, digits.data(), 2);
  addKernel(child, {two}, appendDigit, digits.data(), 3);
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t one = addKernel(graph, {}, appendDigit, digits.data(), 1);
  cudaGraphNode_t node = addChild(graph, {one}, child);
  addKernel(graph, {node}, appendDigit, digits.data(), 4);
  CHECK_EQ(int(typeOf(node)), int(cudaGraphNodeTypeGraph));
  addKernel(child, {}, appendDigit, digits.data(), 9); // too late for the node
  CHECK_CUDA(cudaGraphDestroy(child));
  {
    Executable exec(graph);
    exec.run();
    CHECK_EQ(digits.download()[0], 1234);
  }
  cudaGraph_t inner = nullptr;
  CHECK_CUDA(cudaGraphChildGraphNodeGetGraph(node, &inner));
  CHECK_EQ(nodesOf(inner).size(), size_t(2));
  addKernel(inner, {nodesOf(inner)[1]}, appendDigit, digits.data(), 5);
  CHECK_EQ(taken(cudaGraphDestroy(inner)), cudaErrorInvalidValue);
  Executable exec(graph);
  exec.run();
  CHECK_EQ(digits.download()[0], 123412354);
  RETURN_RESULT();
}
