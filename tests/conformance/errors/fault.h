// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every fault in a kernel has in common: the launch itself succeeds, the next synchronising
// call says what happened, and from then on every call on the device gives the same error, while
// the host program goes on.
#pragma once

#include "check.h"

/// Checks that the newest kernel, launched just before, ends with `error`, and that it is sticky.
inline void checkFault(cudaError_t error) {
  CHECK_EQ(cudaPeekAtLastError(), cudaSuccess); // the launch went well
  CHECK_EQ(cudaDeviceSynchronize(), error);
  CHECK_EQ(cudaGetLastError(), error);
  void *memory = nullptr;
  CHECK_EQ(cudaMalloc(&memory, 100), error);
  CHECK_EQ(cudaDeviceSynchronize(), error);
  CHECK_EQ(cudaStreamSynchronize(0), error);
  int value = 0;
  CHECK_EQ(cudaMemcpy(&value, &value, sizeof value, cudaMemcpyDefault), error);
  CHECK(cudaGetLastError() == error);
}
