// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaEventElapsedTime is the real time between two places in a stream, not that between the
// calls that recorded them.
// env: CUDA_MODULE_LOADING=EAGER
#include "gate.h"
#include <chrono>
#include <thread>

int main() {
  Gate gate;
  Stream stream(cudaStreamNonBlocking);
  cudaEvent_t start, stop, later;
  CHECK_CUDA(cudaEventCreate(&start));
  CHECK_CUDA(cudaEventCreate(&stop));
  CHECK_CUDA(cudaEventCreateWithFlags(&later, cudaEventBlockingSync));
  CHECK_CUDA(cudaEventRecord(start, stream));
  CHECK_CUDA(cudaEventSynchronize(start));
  gate.holdUp(stream);
  CHECK_CUDA(cudaEventRecord(stop, stream));
  float milliseconds = -1;
  CHECK_EQ(cudaEventElapsedTime(&milliseconds, start, stop), cudaErrorNotReady);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  gate.open();
  CHECK_CUDA(cudaEventRecord(later, stream));
  CHECK_CUDA(cudaEventSynchronize(later));
  CHECK_CUDA(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds >= 45);
  CHECK(milliseconds < 5000);
  float whole = -1, back = 1, none = -1;
  CHECK_CUDA(cudaEventElapsedTime(&whole, start, later));
  CHECK(whole >= milliseconds);
  CHECK_CUDA(cudaEventElapsedTime(&back, stop, start));
  CHECK(back <= -45);
  CHECK_CUDA(cudaEventElapsedTime(&none, start, start));
  CHECK_EQ(none, 0.0f);
  CHECK_CUDA(cudaEventDestroy(start));
  CHECK_CUDA(cudaEventDestroy(stop));
  CHECK_CUDA(cudaEventDestroy(later));
  RETURN_RESULT();
}
