// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in five streams: each stream keeps its order, and a stream that is held up holds up no
// other.
// env: CUDA_MODULE_LOADING=EAGER
#include "gate.h"

int main() {
  Gate gate;
  Log log;
  {
    Stream streams[5];
    gate.holdUp(streams[0]);
    for (int round = 0; round < 3; ++round)
      for (int s = 0; s < 5; ++s)
        log.append(10 * s + round, streams[s]);
    for (int s = 1; s < 5; ++s)
      CHECK_CUDA(cudaStreamSynchronize(streams[s]));
    CHECK_EQ(cudaStreamQuery(streams[0]), cudaErrorNotReady);
    gate.open();
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  const std::vector<int> entries = log.entries();
  CHECK_EQ(entries.size(), 15);
  int next[5] = {};
  for (size_t i = 0; i < entries.size(); ++i) {
    const int stream = entries[i] / 10;
    CHECK_EQ(entries[i] % 10, next[stream]++);
    CHECK_EQ(stream == 0, i >= 12); // the stream that was held up came last
  }
  RETURN_RESULT();
}
