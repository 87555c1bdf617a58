// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that may wait for streams, such as cudaMalloc, are forbidden while a capture goes on: to
// all threads, to the thread that captures, or to none.
#include "graphs.h"

#include <thread>

cudaError_t allocate() {
  void *memory = nullptr;
  cudaError_t error = cudaMalloc(&memory, 64);
  cudaGetLastError();
  return error;
}

cudaError_t inThread(cudaStreamCaptureMode thread_mode) {
  cudaError_t error = cudaSuccess;
  std::thread([&] {
    cudaThreadExchangeStreamCaptureMode(&thread_mode);
    error = allocate();
  }).join();
  return error;
}

bool endsWell(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  return taken(cudaStreamEndCapture(stream, &graph)) == cudaSuccess;
}

int main() {
  const auto global = cudaStreamCaptureModeGlobal, local = cudaStreamCaptureModeThreadLocal,
             relaxed = cudaStreamCaptureModeRelaxed;
  const cudaError_t forbidden = cudaErrorStreamCaptureUnsupported;
  Stream stream;
  const struct {
    cudaStreamCaptureMode mode;
    cudaError_t here, there;
  } cases[] = {{global, forbidden, forbidden},
               {local, forbidden, cudaSuccess},
               {relaxed, cudaSuccess, cudaSuccess}};
  for (auto &test : cases) {
    beginCapture(stream, test.mode);
    CHECK_EQ(allocate(), test.here);
    CHECK_EQ(endsWell(stream), test.here == cudaSuccess);
    beginCapture(stream, test.mode);
    CHECK_EQ(inThread(global), test.there);
    CHECK_EQ(endsWell(stream), test.there == cudaSuccess);
    beginCapture(stream, test.mode);
    CHECK_EQ(inThread(relaxed), cudaSuccess);
    CHECK(endsWell(stream));
  }

  cudaStreamCaptureMode mode = relaxed;
  CHECK_CUDA(cudaThreadExchangeStreamCaptureMode(&mode));
  CHECK_EQ(int(mode), int(global));
  beginCapture(stream, global);
  CHECK_EQ(allocate(), cudaSuccess);
  CHECK(endsWell(stream));
  CHECK_CUDA(cudaThreadExchangeStreamCaptureMode(&mode));
  CHECK_EQ(int(mode), int(relaxed));

  // Another thread may put work on the stream; it may end the capture only if that is relaxed.
  for (auto test : {global, relaxed}) {
    cudaError_t error = cudaErrorUnknown;
    cudaGraph_t graph = nullptr;
    beginCapture(stream, test);
    std::thread([&] { error = cudaStreamEndCapture(stream, &graph); }).join();
    CHECK_EQ(error, test == global ? cudaErrorStreamCaptureWrongThread : cudaSuccess);
    CHECK_EQ(taken(cudaStreamEndCapture(stream, &graph)), cudaErrorIllegalState);
  }
  RETURN_RESULT();
}
