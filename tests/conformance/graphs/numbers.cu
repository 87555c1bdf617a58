// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of graphs and of nodes within them.
// hardware: skip needs CUDA 13.1
#include "check.h"

unsigned numberOf(cudaGraphNode_t node) {
  unsigned number = ~0u;
  CHECK_CUDA(cudaGraphNodeGetLocalId(node, &number));
  return number;
}

int main() {
  cudaGraph_t first, second, found;
  CHECK_CUDA(cudaGraphCreate(&first, 0));
  CHECK_CUDA(cudaGraphCreate(&second, 0));
  unsigned one = 0, other = 0;
  CHECK_CUDA(cudaGraphGetId(first, &one));
  CHECK_CUDA(cudaGraphGetId(second, &other));
  CHECK(one != other);

  cudaGraphNode_t nodes[3], elsewhere;
  for (cudaGraphNode_t &node : nodes)
    CHECK_CUDA(cudaGraphAddEmptyNode(&node, first, nullptr, 0));
  CHECK_CUDA(cudaGraphAddEmptyNode(&elsewhere, second, nullptr, 0));
  CHECK(numberOf(nodes[0]) != numberOf(nodes[1]) && numberOf(nodes[1]) != numberOf(nodes[2]));
  const unsigned gone = numberOf(nodes[2]);
  CHECK_CUDA(cudaGraphDestroyNode(nodes[2]));
  CHECK_CUDA(cudaGraphAddEmptyNode(&nodes[2], first, nullptr, 0));
  CHECK(numberOf(nodes[2]) != gone);
  CHECK_CUDA(cudaGraphNodeGetContainingGraph(nodes[2], &found));
  CHECK_EQ(found, first);
  unsigned long long tools[2] = {};
  CHECK_CUDA(cudaGraphNodeGetToolsId(nodes[0], &tools[0]));
  CHECK_CUDA(cudaGraphNodeGetToolsId(elsewhere, &tools[1]));
  CHECK(tools[0] != tools[1]);

  cudaGraphExec_t executable;
  CHECK_CUDA(cudaGraphInstantiate(&executable, first, 0));
  CHECK_CUDA(cudaGraphExecGetId(executable, &other));
  CHECK_EQ(cudaGraphGetId(first, nullptr), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphNodeGetLocalId(nullptr, &other), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphExecDestroy(executable));
  CHECK_CUDA(cudaGraphDestroy(first));
  CHECK_CUDA(cudaGraphDestroy(second));
  RETURN_RESULT();
}
