// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaStreamSynchronize waits for its own stream only: work in another may still be running.
// env: CUDA_MODULE_LOADING=EAGER
#include "gate.h"

int main() {
  Gate gate;
  Log log;
  {
    Stream slow, quick;
    gate.holdUp(slow);
    for (int i = 0; i < 5; ++i) {
      log.append(i, quick);
      CHECK_CUDA(cudaStreamSynchronize(quick));
      CHECK_EQ(cudaStreamQuery(quick), cudaSuccess);
      CHECK_EQ(cudaStreamQuery(slow), cudaErrorNotReady);
    }
    log.append(5, slow);
    gate.open();
    CHECK_CUDA(cudaStreamSynchronize(slow));
  }
  CHECK(log.entries() == std::vector<int>({0, 1, 2, 3, 4, 5}));
  RETURN_RESULT();
}
