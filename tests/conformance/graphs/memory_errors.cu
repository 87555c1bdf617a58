// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What memory nodes refuse, and what a graph with memory nodes does.
#include "memory.h"

int main() {
  DeviceBuffer<int> other(4);
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t node = nullptr;
  cudaMemAllocNodeParams wrong = allocationOf(100);
  wrong.poolProps.location.id = 1000;
  CHECK(taken(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &wrong)) != cudaSuccess);
  CHECK_EQ(taken(cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, other.data())),
           cudaErrorInvalidValue);
  Allocated memory = addAllocation(graph, {}, 1000);
  cudaGraphNode_t freed = addFree(graph, {memory.node}, memory.pointer);
  CHECK_EQ(taken(cudaGraphAddMemFreeNode(&node, graph, &freed, 1, memory.pointer)),
           cudaErrorInvalidValue);
  CHECK(taken(cudaGraphDestroyNode(freed)) != cudaSuccess);
  CHECK(taken(removeEdge(graph, memory.node, freed)) != cudaSuccess);
  cudaGraph_t clone = nullptr;
  CHECK(taken(cudaGraphClone(&clone, graph)) != cudaSuccess);
  Executable exec(graph);
  cudaGraphExec_t second = nullptr;
  CHECK(taken(cudaGraphInstantiate(&second, graph, 0)) != cudaSuccess);
  exec.run();
  RETURN_RESULT();
}
