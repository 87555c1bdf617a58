// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches are work of their streams: asynchronous, in order with what is around them. Launches of
// one executable follow each other even in different streams.
#include "graphs.h"
#include "host/gate.h"

int main() {
  DeviceBuffer<long long> digits(1);
  Gate gate;
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t wait = addKernel(graph, {}, waitForGate, gate.data());
  addKernel(graph, {wait}, appendDigit, digits.data(), 2);
  Executable exec(graph);
  {
    Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
    appendDigit<<<1, 1, 0, stream>>>(digits, 1);
    CHECK_CUDA(cudaGraphLaunch(exec, stream));
    appendDigit<<<1, 1, 0, stream>>>(digits, 3);
    CHECK_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
    CHECK_CUDA(cudaGraphLaunch(exec, other)); // behind the first
    gate.open();
    CHECK_CUDA(cudaStreamSynchronize(stream));
    CHECK_CUDA(cudaStreamSynchronize(other));
  }
  long long result = digits.download()[0];
  CHECK(result == 1223 || result == 1232);
  RETURN_RESULT();
}
