// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream may be destroyed while work is left in it: the call returns at once, and the work is
// still done.
// env: CUDA_MODULE_LOADING=EAGER
#include "gate.h"

int main() {
  Gate gate;
  Log log;
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  gate.holdUp(stream);
  log.append(1, stream);
  CHECK_CUDA(cudaStreamDestroy(stream));
  gate.open();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(log.entries() == std::vector<int>({1}));
  RETURN_RESULT();
}
