// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A capture that another stream has not come back to cannot end; an empty detour may.
#include "graphs.h"

int main() {
  DeviceBuffer<int> sum(1);
  Stream stream, side;
  Event event;
  cudaGraph_t graph = nullptr;
  beginCapture(stream);
  CHECK_CUDA(cudaEventRecord(event, stream));
  CHECK_CUDA(cudaStreamWaitEvent(side, event, 0));
  addTo<<<1, 1, 0, side>>>(sum, 1);
  CHECK_EQ(taken(cudaStreamEndCapture(stream, &graph)), cudaErrorStreamCaptureUnjoined);
  CHECK(graph == nullptr);

  beginCapture(stream);
  CHECK_CUDA(cudaEventRecord(event, stream));
  CHECK_CUDA(cudaStreamWaitEvent(side, event, 0));
  graph = endCapture(stream);
  CHECK_EQ(nodesOf(graph).size(), size_t(0));

  // Only the stream where it began may end it.
  beginCapture(stream);
  CHECK_CUDA(cudaEventRecord(event, stream));
  CHECK_CUDA(cudaStreamWaitEvent(side, event, 0));
  CHECK_EQ(taken(cudaStreamEndCapture(side, &graph)), cudaErrorStreamCaptureUnmatched);
  CHECK_EQ(taken(cudaStreamEndCapture(stream, &graph)), cudaErrorStreamCaptureInvalidated);
  CHECK_EQ(taken(cudaStreamEndCapture(stream, &graph)), cudaErrorIllegalState);
  CHECK_EQ(sum.download()[0], 0);
  RETURN_RESULT();
}
