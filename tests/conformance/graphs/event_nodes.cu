// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Event nodes record and wait each launch, so that graphs and streams wait for each other.
#include "graphs.h"
#include "host/gate.h"

int main() {
  DeviceBuffer<long long> digits(1);
  Gate gate;
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Event before, middle;
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t wait = nullptr, record = nullptr;
  CHECK_CUDA(cudaGraphAddEventWaitNode(&wait, graph, nullptr, 0, before));
  cudaGraphNode_t two = addKernel(graph, {wait}, appendDigit, digits.data(), 2);
  CHECK_CUDA(cudaGraphAddEventRecordNode(&record, graph, &two, 1, middle));
  addKernel(graph, {record}, waitForGate, gate.data());
  cudaEvent_t told = nullptr;
  CHECK_CUDA(cudaGraphEventRecordNodeGetEvent(record, &told));
  CHECK(told == middle);
  Executable exec(graph);

  appendDigit<<<1, 1, 0, other>>>(digits, 1);
  CHECK_CUDA(cudaEventRecord(before, other));
  CHECK_CUDA(cudaGraphLaunch(exec, stream));
  CHECK_CUDA(cudaStreamWaitEvent(other, middle, 0));
  appendDigit<<<1, 1, 0, other>>>(digits, 3);
  CHECK_CUDA(cudaStreamSynchronize(other)); // while the graph still runs
  CHECK_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  gate.open();
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(digits.download()[0], 123);

  // In a capture, external events become such nodes.
  beginCapture(stream);
  CHECK_CUDA(cudaStreamWaitEvent(stream, before, cudaEventWaitExternal));
  CHECK_CUDA(cudaEventRecordWithFlags(middle, stream, cudaEventRecordExternal));
  Nodes nodes = nodesOf(endCapture(stream));
  CHECK_EQ(nodes.size(), size_t(2));
  CHECK_EQ(int(typeOf(nodes[0])), int(cudaGraphNodeTypeWaitEvent));
  CHECK_EQ(int(typeOf(nodes[1])), int(cudaGraphNodeTypeEventRecord));
  RETURN_RESULT();
}
