// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true
// A handle belongs to one node of its graph; the graph is neither copied nor instantiated twice;
// host functions and the like cannot be conditional.
#include "conditional.h"

int main() {
  cudaGraph_t graph = newGraph(), other = newGraph();
  cudaGraphConditionalHandle handle = newCondition(graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeParams params = conditionalParams(handle, cudaGraphCondTypeIf);
  CHECK_EQ(taken(addNode(&node, other, {}, &params)), cudaErrorInvalidValue);
  cudaGraphExec_t exec = nullptr, second = nullptr;
  CHECK_EQ(taken(cudaGraphInstantiate(&exec, graph, 0)), cudaErrorInvalidValue); // unused
  cudaGraph_t body = addConditional(graph, {}, handle, cudaGraphCondTypeIf);
  CHECK_EQ(taken(addNode(&node, graph, {}, &params)), cudaErrorInvalidValue);
  CHECK_EQ(taken(cudaGraphDestroy(body)), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_EQ(taken(cudaGraphInstantiate(&second, graph, 0)), cudaErrorNotSupported);
  cudaGraph_t clone = nullptr;
  CHECK_EQ(taken(cudaGraphClone(&clone, graph)), cudaErrorNotSupported);
  CHECK_EQ(taken(cudaGraphAddChildGraphNode(&node, other, nullptr, 0, graph)),
           cudaErrorNotSupported);
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  addHost(body, {}, [](void *) {}, nullptr);
  CHECK_EQ(taken(cudaGraphInstantiate(&exec, graph, 0)), cudaErrorInvalidValue);
  CHECK_EQ(taken(cudaGraphConditionalHandleCreate(&handle, graph, 0, 8)), cudaErrorInvalidValue);
  RETURN_RESULT();
}
