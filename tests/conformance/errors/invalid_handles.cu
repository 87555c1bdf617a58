// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Null events, the default stream where it must not be given, and events that cannot tell time.
#include "check.h"

int main() {
  CHECK_EQ(cudaEventRecord(nullptr, 0), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaEventQuery(nullptr), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaEventSynchronize(nullptr), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaStreamWaitEvent(0, nullptr, 0), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaStreamDestroy(0), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);

  cudaEvent_t timed, untimed;
  CHECK_CUDA(cudaEventCreate(&timed));
  CHECK_CUDA(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  float milliseconds = 0;
  CHECK_EQ(cudaEventElapsedTime(&milliseconds, timed, timed), cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaEventRecord(timed));
  CHECK_CUDA(cudaEventRecord(untimed));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(cudaEventElapsedTime(&milliseconds, timed, untimed), cudaErrorInvalidResourceHandle);
  (void)cudaGetLastError();
  CHECK_CUDA(cudaEventElapsedTime(&milliseconds, timed, timed));
  CHECK_CUDA(cudaEventDestroy(timed));
  CHECK_CUDA(cudaEventDestroy(untimed));
  RETURN_RESULT();
}
