// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With per-thread default streams each host thread has a default stream of its own that holds up
// no other thread's.
// flags: --default-stream per-thread
// env: CUDA_MODULE_LOADING=EAGER
#include "gate.h"
#include <thread>

#ifndef CUDA_API_PER_THREAD_DEFAULT_STREAM
#error "the compiler defines this macro for the option"
#endif

int main() {
  Gate gate;
  Log log;
  gate.holdUp(0); // the main thread's default stream
  std::thread other([&] {
    log.append(1, 0);
    CHECK_CUDA(cudaStreamSynchronize(0));
    CHECK_EQ(cudaStreamQuery(0), cudaSuccess);
  });
  other.join();
  CHECK_EQ(cudaStreamQuery(0), cudaErrorNotReady);
  CHECK_EQ(cudaStreamQuery(cudaStreamPerThread), cudaErrorNotReady);
  log.append(2, cudaStreamLegacy); // waits for the per-thread streams, which are blocking ones
  CHECK_EQ(cudaStreamQuery(cudaStreamLegacy), cudaErrorNotReady);
  gate.open();
  CHECK_CUDA(cudaStreamSynchronize(cudaStreamLegacy));
  CHECK_CUDA(cudaStreamSynchronize(0));
  CHECK(log.entries() == std::vector<int>({1, 2}));
  RETURN_RESULT();
}
