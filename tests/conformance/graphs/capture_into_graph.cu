// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A capture can add to a graph that exists, behind nodes that are given.
#include "graphs.h"

int main() {
  DeviceBuffer<long long> digits(1);
  Stream stream;
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t one = addKernel(graph, {}, appendDigit, digits.data(), 1);
  cudaGraphNode_t two = addKernel(graph, {one}, appendDigit, digits.data(), 2);
  CHECK_CUDA(
      cudaStreamBeginCaptureToGraph(stream, graph, &two, nullptr, 1, cudaStreamCaptureModeGlobal));
  appendDigit<<<1, 1, 0, stream>>>(digits, 3);
  CHECK_EQ(taken(cudaGraphDestroy(graph)), cudaErrorIllegalState);
  CHECK(endCapture(stream) == graph);
  CHECK_EQ(nodesOf(graph).size(), size_t(3));
  CHECK(dependenciesOf(nodesOf(graph)[2]) == (Nodes{two}));
  Executable exec(graph);
  exec.run(stream);
  CHECK_EQ(digits.download()[0], 123);
  RETURN_RESULT();
}
