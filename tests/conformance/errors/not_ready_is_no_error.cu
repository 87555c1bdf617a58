// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaErrorNotReady is an answer, not an error: it is not remembered.
// env: CUDA_MODULE_LOADING=EAGER
#include "host/gate.h"

int main() {
  Gate gate;
  Stream stream(cudaStreamNonBlocking);
  gate.holdUp(stream);
  CHECK_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  CHECK_EQ(cudaPeekAtLastError(), cudaSuccess);
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  gate.open();
  CHECK_CUDA(cudaStreamSynchronize(stream));
  RETURN_RESULT();
}
