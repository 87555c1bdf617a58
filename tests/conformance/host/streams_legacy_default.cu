// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The legacy default stream waits for blocking streams, and they for it. Five kernels, one of
// them in the default stream.
// env: CUDA_MODULE_LOADING=EAGER
#include "gate.h"

int main() {
  Gate gate;
  Log log;
  {
    Stream streams[5];
    gate.holdUp(streams[0]);
    log.append(0, streams[0]);
    log.append(1, streams[1]); // may run at once
    log.append(2, 0);          // waits for all streams
    log.append(3, streams[3]); // waits for the default stream
    log.append(4, streams[4]);
    CHECK_CUDA(cudaStreamSynchronize(streams[1]));
    CHECK_EQ(cudaStreamQuery(streams[0]), cudaErrorNotReady);
    CHECK_EQ(cudaStreamQuery(0), cudaErrorNotReady);
    CHECK_EQ(cudaStreamQuery(streams[3]), cudaErrorNotReady);
    CHECK_EQ(cudaStreamQuery(streams[4]), cudaErrorNotReady);
    gate.open();
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  std::vector<int> entries = log.entries();
  CHECK_EQ(entries.size(), 5);
  CHECK_EQ(entries[0], 1);
  CHECK_EQ(entries[1], 0);
  CHECK_EQ(entries[2], 2);
  CHECK_EQ(entries[3] + entries[4], 3 + 4);
  RETURN_RESULT();
}
