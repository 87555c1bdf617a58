// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work in the legacy default stream holds up blocking streams, but not non-blocking ones; and the
// legacy default stream does not wait for non-blocking streams.
// env: CUDA_MODULE_LOADING=EAGER
#include "gate.h"

int main() {
  Gate first, second;
  Log log;
  {
    Stream blocking, nonBlocking(cudaStreamNonBlocking);
    first.holdUp(0);
    log.append(1, blocking);
    log.append(2, nonBlocking);
    CHECK_CUDA(cudaStreamSynchronize(nonBlocking));
    CHECK_EQ(cudaStreamQuery(blocking), cudaErrorNotReady);
    first.open();
    CHECK_CUDA(cudaStreamSynchronize(blocking));

    second.holdUp(nonBlocking);
    log.append(3, 0);
    CHECK_CUDA(cudaStreamSynchronize(0));
    CHECK_EQ(cudaStreamQuery(nonBlocking), cudaErrorNotReady);
    second.open();
  }
  CHECK(log.entries() == std::vector<int>({2, 1, 3}));
  RETURN_RESULT();
}
