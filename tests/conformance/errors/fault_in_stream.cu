// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fault in one stream: its synchronisation and its events report it, and the other streams of
// the device can do no more either.
#include "check.h"

__global__ void writeTo(int *p) { *p = 1; }

int main() {
  cudaStream_t bad, good;
  cudaEvent_t event;
  int *memory;
  CHECK_CUDA(cudaMalloc(&memory, sizeof(int)));
  CHECK_CUDA(cudaStreamCreateWithFlags(&bad, cudaStreamNonBlocking));
  CHECK_CUDA(cudaStreamCreateWithFlags(&good, cudaStreamNonBlocking));
  CHECK_CUDA(cudaEventCreate(&event));
  writeTo<<<1, 1, 0, good>>>(memory);
  CHECK_CUDA(cudaStreamSynchronize(good));
  writeTo<<<1, 1, 0, bad>>>(nullptr);
  (void)cudaEventRecord(event, bad);
  CHECK_EQ(cudaStreamSynchronize(bad), cudaErrorIllegalAddress);
  CHECK_EQ(cudaEventSynchronize(event), cudaErrorIllegalAddress);
  CHECK_EQ(cudaEventQuery(event), cudaErrorIllegalAddress);
  CHECK_EQ(cudaStreamQuery(bad), cudaErrorIllegalAddress);
  (void)cudaGetLastError();
  writeTo<<<1, 1, 0, good>>>(memory);
  CHECK_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  CHECK_EQ(cudaStreamSynchronize(good), cudaErrorIllegalAddress);
  RETURN_RESULT();
}
