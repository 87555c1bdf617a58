// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A clone has nodes of its own; changes to one graph are not seen in the other.
#include "graphs.h"

int main() {
  DeviceBuffer<int> sum(1);
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t first = addKernel(graph, {}, addTo, sum.data(), 1);
  cudaGraphNode_t second = addKernel(graph, {first}, addTo, sum.data(), 10);
  cudaGraph_t clone = nullptr;
  CHECK_CUDA(cudaGraphClone(&clone, graph));
  cudaGraphNode_t copy = nullptr;
  CHECK_CUDA(cudaGraphNodeFindInClone(&copy, second, clone));
  CHECK(copy != second);
  CHECK_EQ(taken(cudaGraphNodeFindInClone(&copy, second, graph)), cudaErrorInvalidValue);
  CHECK_EQ(edgesOf(clone).size(), size_t(2));
  CHECK_CUDA(cudaGraphNodeFindInClone(&copy, second, clone));
  CHECK_CUDA(cudaGraphDestroyNode(copy));
  addKernel(graph, {}, addTo, sum.data(), 100);
  Executable one(graph), other(clone);
  CHECK_CUDA(cudaGraphDestroy(graph));
  one.run();
  CHECK_EQ(sum.download()[0], 111);
  other.run();
  CHECK_EQ(sum.download()[0], 112);
  RETURN_RESULT();
}
