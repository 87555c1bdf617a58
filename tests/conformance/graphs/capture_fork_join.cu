// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another stream joins a capture when it waits for an event of it, and must come back.
#include "graphs.h"

int main() {
  DeviceBuffer<int> sums(3);
  Stream main_stream, side;
  Event fork, join;
  beginCapture(main_stream);
  addTo<<<1, 1, 0, main_stream>>>(sums, 1);
  CHECK_CUDA(cudaEventRecord(fork, main_stream));
  CHECK_CUDA(cudaStreamWaitEvent(side, fork, 0));
  addTo<<<1, 1, 0, side>>>(sums.data() + 1, 2);
  addTo<<<1, 1, 0, main_stream>>>(sums.data() + 2, 3);
  CHECK_CUDA(cudaEventRecord(join, side));
  CHECK_CUDA(cudaStreamWaitEvent(main_stream, join, 0));
  addTo<<<1, 1, 0, main_stream>>>(sums, 10);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  CHECK_CUDA(cudaStreamIsCapturing(side, &status));
  CHECK_EQ(int(status), int(cudaStreamCaptureStatusActive));
  cudaGraph_t graph = endCapture(main_stream);
  CHECK_CUDA(cudaStreamIsCapturing(side, &status));
  CHECK_EQ(int(status), int(cudaStreamCaptureStatusNone));

  Nodes nodes = nodesOf(graph);
  CHECK_EQ(nodes.size(), size_t(4));
  CHECK_EQ(edgesOf(graph).size(), size_t(8));
  CHECK_EQ(dependenciesOf(nodes[3]).size(), size_t(2));
  Executable exec(graph);
  exec.run(main_stream);
  exec.run(side);
  CHECK(sums.download() == (std::vector<int>{22, 4, 6}));
  RETURN_RESULT();
}
