// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wait means the event's place at the time of the call: one never recorded holds up nothing,
// and recording it again later does not change waits made before.
// env: CUDA_MODULE_LOADING=EAGER
#include "gate.h"

int main() {
  Gate gate;
  Log log;
  {
    Stream held(cudaStreamNonBlocking), free(cudaStreamNonBlocking);
    cudaEvent_t event;
    CHECK_CUDA(cudaEventCreate(&event));
    CHECK_CUDA(cudaStreamWaitEvent(free, event, 0));
    log.append(1, free);
    CHECK_CUDA(cudaEventRecord(event, free));
    CHECK_CUDA(cudaStreamWaitEvent(free, event, 0)); // its own stream: no effect
    gate.holdUp(held);
    CHECK_CUDA(cudaEventRecord(event, held));
    log.append(2, free); // waits for the earlier place only
    CHECK_CUDA(cudaStreamSynchronize(free));
    CHECK_EQ(cudaEventQuery(event), cudaErrorNotReady);
    gate.open();
    CHECK_CUDA(cudaEventSynchronize(event));
    CHECK_CUDA(cudaEventDestroy(event));
  }
  CHECK(log.entries() == std::vector<int>({1, 2}));
  RETURN_RESULT();
}
