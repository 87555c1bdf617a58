// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may not be done to a stream that is captured, and what it makes of the capture.
#include "graphs.h"

enum class Then { Goes, Invalid };

template <class Call> void tryCall(Call call, cudaError_t expected, Then then) {
  Stream stream;
  beginCapture(stream, cudaStreamCaptureModeRelaxed);
  CHECK_EQ(taken(call(stream)), expected);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  CHECK_CUDA(cudaStreamIsCapturing(stream, &status));
  bool valid = then == Then::Goes;
  CHECK_EQ(int(status),
           int(valid ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusInvalidated));
  cudaGraph_t graph = nullptr;
  CHECK_EQ(taken(cudaStreamEndCapture(stream, &graph)),
           valid ? cudaSuccess : cudaErrorStreamCaptureInvalidated);
  CHECK_EQ(graph != nullptr, valid);
}

void nothing(cudaStream_t, cudaError_t, void *) {}

int main() {
  DeviceBuffer<int> memory(100);
  std::vector<int> host(100);
  const cudaError_t unsupported = cudaErrorStreamCaptureUnsupported;
  tryCall([](cudaStream_t s) { return cudaStreamSynchronize(s); }, unsupported, Then::Invalid);
  tryCall([](cudaStream_t s) { return cudaStreamQuery(s); }, unsupported, Then::Invalid);
  tryCall([](cudaStream_t) { return cudaDeviceSynchronize(); }, unsupported, Then::Invalid);
  tryCall([](cudaStream_t s) { return cudaStreamAddCallback(s, nothing, nullptr, 0); }, unsupported,
          Then::Invalid);
  tryCall(
      [](cudaStream_t s) {
        addTo<<<1, 4096, 0, s>>>(nullptr, 1);
        return cudaPeekAtLastError();
      },
      cudaErrorInvalidValue, Then::Invalid);

  // Errors that a stream that is not captured would give, too, do no harm.
  tryCall([&](cudaStream_t s) { return cudaMemcpyAsync(memory, memory, 4, cudaMemcpyKind(9), s); },
          cudaErrorInvalidMemcpyDirection, Then::Goes);
  tryCall(
      [&](cudaStream_t s) { return cudaMemcpyAsync(memory, host.data(), 0, cudaMemcpyDefault, s); },
      cudaSuccess, Then::Goes);
  tryCall([](cudaStream_t s) { return cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed); },
          cudaErrorIllegalState, Then::Goes);
  tryCall(
      [](cudaStream_t) {
        Event event;
        Stream other;
        return cudaEventRecord(event, other);
      },
      cudaSuccess, Then::Goes);

  // Nothing works on an invalid capture.
  Stream stream;
  beginCapture(stream);
  CHECK_EQ(taken(cudaStreamSynchronize(stream)), unsupported);
  CHECK_EQ(taken(cudaMemsetAsync(memory, 0, 4, stream)), cudaErrorStreamCaptureInvalidated);
  addTo<<<1, 1, 0, stream>>>(nullptr, 1);
  CHECK_EQ(cudaGetLastError(), cudaErrorStreamCaptureInvalidated);
  Event event;
  CHECK_EQ(taken(cudaEventRecord(event, stream)), cudaErrorStreamCaptureInvalidated);
  cudaGraph_t graph = nullptr;
  CHECK_EQ(taken(cudaStreamEndCapture(stream, &graph)), cudaErrorStreamCaptureInvalidated);
  CHECK_CUDA(cudaStreamSynchronize(stream));
  RETURN_RESULT();
}
