// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaGraphExecUpdate takes over the parameters of a graph of the same form and refuses others.
#include "graphs.h"

cudaGraph_t make(int *sum, int value, int extra_nodes, bool chain, bool empty_last = false) {
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t first = addKernel(graph, {}, addTo, sum, value);
  if (empty_last)
    addEmpty(graph, {first});
  else
    addKernel(graph, chain ? Nodes{first} : Nodes{}, addTo, sum, 10 * value);
  for (int i = 0; i < extra_nodes; ++i)
    addEmpty(graph);
  return graph;
}

int main() {
  DeviceBuffer<int> sum(1);
  cudaGraph_t graph = make(sum, 1, 0, true);
  Executable exec(graph);
  exec.run();
  CHECK_EQ(sum.download()[0], 11);
  cudaGraphExecUpdateResultInfo info = {};
  CHECK_CUDA(cudaGraphExecUpdate(exec, make(sum, 3, 0, true), &info));
  CHECK_EQ(int(info.result), int(cudaGraphExecUpdateSuccess));
  exec.run();
  CHECK_EQ(sum.download()[0], 44);

  const cudaError_t failure = cudaErrorGraphExecUpdateFailure;
  CHECK_EQ(taken(cudaGraphExecUpdate(exec, make(sum, 5, 1, true), &info)), failure);
  CHECK_EQ(int(info.result), int(cudaGraphExecUpdateErrorTopologyChanged));
  CHECK_EQ(taken(cudaGraphExecUpdate(exec, make(sum, 5, 0, false), &info)), failure);
  CHECK_EQ(int(info.result), int(cudaGraphExecUpdateErrorTopologyChanged));
  cudaGraph_t typed = make(sum, 5, 0, true, true);
  CHECK_EQ(taken(cudaGraphExecUpdate(exec, typed, &info)), failure);
  CHECK_EQ(int(info.result), int(cudaGraphExecUpdateErrorNodeTypeChanged));
  CHECK(info.errorNode == nodesOf(typed)[1]);
  exec.run(); // as before
  CHECK_EQ(sum.download()[0], 77);
  RETURN_RESULT();
}
