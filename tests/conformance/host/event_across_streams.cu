// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaStreamWaitEvent orders work across streams: a chain over three streams, with the last held
// back through the first.
// env: CUDA_MODULE_LOADING=EAGER
#include "gate.h"

int main() {
  Gate gate;
  Log log;
  {
    Stream a(cudaStreamNonBlocking), b(cudaStreamNonBlocking), c(cudaStreamNonBlocking);
    cudaEvent_t done[2];
    for (cudaEvent_t &event : done)
      CHECK_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    gate.holdUp(a);
    log.append(1, a);
    CHECK_CUDA(cudaEventRecord(done[0], a));
    CHECK_CUDA(cudaStreamWaitEvent(b, done[0], 0));
    log.append(2, b);
    CHECK_CUDA(cudaEventRecord(done[1], b));
    log.append(0, c); // before the wait: not held up
    CHECK_CUDA(cudaStreamSynchronize(c));
    CHECK_CUDA(cudaStreamWaitEvent(c, done[1]));
    log.append(3, c);
    CHECK_EQ(cudaStreamQuery(b), cudaErrorNotReady);
    CHECK_EQ(cudaStreamQuery(c), cudaErrorNotReady);
    for (cudaEvent_t event : done)
      CHECK_CUDA(cudaEventDestroy(event)); // the waits remain
    gate.open();
    CHECK_CUDA(cudaStreamSynchronize(c));
  }
  CHECK(log.entries() == std::vector<int>({0, 1, 2, 3}));
  RETURN_RESULT();
}
