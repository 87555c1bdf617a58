// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without the option, stream 0 is the legacy default stream, cudaStreamLegacy its handle, and
// cudaStreamPerThread a blocking stream for each host thread.
// env: CUDA_MODULE_LOADING=EAGER
#include "gate.h"
#include <thread>

int main() {
  Gate gate;
  Log log;
  gate.holdUp(cudaStreamPerThread);
  std::thread([&] {
    log.append(1, cudaStreamPerThread);
    CHECK_CUDA(cudaStreamSynchronize(cudaStreamPerThread));
  }).join();
  CHECK_EQ(cudaStreamQuery(cudaStreamPerThread), cudaErrorNotReady);
  log.append(2, 0); // waits for all per-thread streams
  CHECK_EQ(cudaStreamQuery(cudaStreamLegacy), cudaErrorNotReady);
  gate.open();
  CHECK_CUDA(cudaStreamSynchronize(0));
  CHECK_EQ(cudaStreamQuery(cudaStreamPerThread), cudaSuccess);
  CHECK(log.entries() == std::vector<int>({1, 2}));
  RETURN_RESULT();
}
