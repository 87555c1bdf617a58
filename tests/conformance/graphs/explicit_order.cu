// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes run in the order of the edges, not of their creation; each launch runs all of them again.
#include "graphs.h"

int main() {
  DeviceBuffer<long long> digits(1);
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t three = addKernel(graph, {}, appendDigit, digits.data(), 3);
  cudaGraphNode_t one = addKernel(graph, {}, appendDigit, digits.data(), 1);
  cudaGraphNode_t two = addKernel(graph, {one}, appendDigit, digits.data(), 2);
  CHECK_EQ(addEdge(graph, two, three), cudaSuccess);
  addKernel(graph, {three}, appendDigit, digits.data(), 4);
  {
    Executable exec(graph);
    exec.run();
    CHECK_EQ(digits.download()[0], 1234);
    exec.run();
    CHECK_EQ(digits.download()[0], 12341234);
  }
  CHECK_CUDA(cudaGraphDestroy(graph));
  RETURN_RESULT();
}
