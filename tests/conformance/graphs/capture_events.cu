// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An event of a capture is a place in the graph: nothing can be asked of it, and outside of the
// capture it means nothing. An event from outside cannot be waited for in a capture.
#include "graphs.h"

int main() {
  Stream stream, other;
  Event captured, outside;
  cudaGraph_t graph = nullptr;
  CHECK_CUDA(cudaEventRecord(outside, other));

  beginCapture(stream);
  CHECK_CUDA(cudaEventRecord(captured, stream));
  CHECK_EQ(taken(cudaEventQuery(captured)), cudaErrorCapturedEvent);
  CHECK_EQ(taken(cudaStreamEndCapture(stream, &graph)), cudaErrorStreamCaptureInvalidated);

  beginCapture(stream);
  CHECK_CUDA(cudaEventRecord(captured, stream));
  CHECK_EQ(taken(cudaEventSynchronize(captured)), cudaErrorCapturedEvent);
  CHECK_EQ(taken(cudaStreamEndCapture(stream, &graph)), cudaErrorStreamCaptureInvalidated);

  beginCapture(stream);
  CHECK_EQ(taken(cudaStreamWaitEvent(stream, outside, 0)), cudaErrorStreamCaptureIsolation);
  CHECK_EQ(taken(cudaStreamEndCapture(stream, &graph)), cudaErrorStreamCaptureInvalidated);

  beginCapture(stream);
  CHECK_CUDA(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaEventRecord(captured, other));
  CHECK_EQ(taken(cudaStreamWaitEvent(stream, captured, 0)), cudaErrorStreamCaptureMerge);
  CHECK_EQ(taken(cudaStreamEndCapture(stream, &graph)), cudaErrorStreamCaptureInvalidated);
  CHECK_EQ(taken(cudaStreamEndCapture(other, &graph)), cudaErrorStreamCaptureInvalidated);

  beginCapture(stream);
  CHECK_CUDA(cudaEventRecord(captured, stream));
  endCapture(stream);
  CHECK_EQ(taken(cudaEventQuery(captured)), cudaErrorInvalidValue);
  CHECK_EQ(taken(cudaStreamWaitEvent(other, captured, 0)), cudaErrorInvalidValue);
  CHECK_CUDA(cudaEventRecord(captured, other));
  CHECK_CUDA(cudaEventSynchronize(captured));
  RETURN_RESULT();
}
