// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream priorities: the range, the priority and flags a stream was made with, and priorities out
// of the range, which are brought into it.
#include "check.h"

static int priorityOf(cudaStream_t stream) {
  int priority = 12345;
  CHECK_CUDA(cudaStreamGetPriority(stream, &priority));
  return priority;
}

int main() {
  int least = 1, greatest = 1;
  CHECK_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK_EQ(least, 0);
  CHECK(greatest <= -1); // a smaller number is a higher priority
  for (int wanted : {least, greatest, least + 5, greatest - 5}) {
    cudaStream_t stream;
    CHECK_CUDA(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, wanted));
    CHECK_EQ(priorityOf(stream), wanted > least ? least : wanted < greatest ? greatest : wanted);
    unsigned flags = 99;
    CHECK_CUDA(cudaStreamGetFlags(stream, &flags));
    CHECK_EQ(flags, unsigned(cudaStreamNonBlocking));
    CHECK_CUDA(cudaStreamDestroy(stream));
  }
  CHECK_EQ(priorityOf(0), 0);
  RETURN_RESULT();
}
