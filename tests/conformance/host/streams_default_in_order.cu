// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Five kernels in the default stream run one after the other, in the order of their launches,
// while the host goes on.
// env: CUDA_MODULE_LOADING=EAGER
#include "gate.h"

int main() {
  Gate gate;
  Log log;
  gate.holdUp(0);
  for (int i = 0; i < 5; ++i)
    log.append(i, 0);
  CHECK_EQ(cudaStreamQuery(0), cudaErrorNotReady); // launches return before the kernels ran
  gate.open();
  CHECK_CUDA(cudaStreamSynchronize(0));
  CHECK_EQ(cudaStreamQuery(0), cudaSuccess);
  CHECK(log.entries() == std::vector<int>({0, 1, 2, 3, 4}));
  RETURN_RESULT();
}
