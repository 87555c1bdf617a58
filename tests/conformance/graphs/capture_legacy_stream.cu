// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The legacy default stream would wait for a stream that is captured: it cannot be used, unless the
// stream is a non-blocking one. It cannot be captured itself.
#include "graphs.h"

int main() {
  DeviceBuffer<int> memory(4);
  std::vector<int> host(4);
  cudaGraph_t graph = nullptr;
  auto calls = {
      +[](int *memory, int *) {
        addTo<<<1, 1>>>(memory, 1);
        return cudaPeekAtLastError();
      },
      +[](int *memory, int *host) { return cudaMemcpy(memory, host, 16, cudaMemcpyHostToDevice); },
      +[](int *memory, int *) { return cudaMemset(memory, 0, 16); },
      +[](int *memory, int *) { return cudaMemsetAsync(memory, 0, 16, nullptr); },
      +[](int *, int *) { return cudaStreamSynchronize(nullptr); },
  };
  Stream blocking, free_stream(cudaStreamNonBlocking);
  for (auto call : calls) {
    beginCapture(blocking, cudaStreamCaptureModeRelaxed);
    CHECK_EQ(taken(call(memory, host.data())), cudaErrorStreamCaptureImplicit);
    CHECK_EQ(taken(cudaStreamEndCapture(blocking, &graph)), cudaErrorStreamCaptureInvalidated);
    beginCapture(free_stream, cudaStreamCaptureModeRelaxed);
    CHECK_EQ(taken(call(memory, host.data())), cudaSuccess);
    CHECK_CUDA(cudaStreamEndCapture(free_stream, &graph));
  }
  beginCapture(blocking);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  CHECK_EQ(taken(cudaStreamIsCapturing(nullptr, &status)), cudaErrorStreamCaptureImplicit);
  CHECK_CUDA(cudaStreamEndCapture(blocking, &graph));
  CHECK_EQ(taken(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal)),
           cudaErrorStreamCaptureUnsupported);
  CHECK_CUDA(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaStreamEndCapture(cudaStreamPerThread, &graph));
  RETURN_RESULT();
}
