// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Null results and unknown flags: cudaErrorInvalidValue.
#include "check.h"

int main() {
  void *memory = nullptr;
  cudaStream_t stream;
  cudaEvent_t event;
  CHECK_EQ(cudaMalloc(static_cast<void **>(nullptr), 4), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetDeviceCount(nullptr), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetDevice(nullptr), cudaErrorInvalidValue);
  CHECK_EQ(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
  CHECK_EQ(cudaEventCreate(nullptr), cudaErrorInvalidValue);
  CHECK_EQ(cudaHostAlloc(&memory, 4, 0x1000), cudaErrorInvalidValue);
  CHECK_EQ(cudaMallocManaged(&memory, 4, 0x1000), cudaErrorInvalidValue);
  CHECK_EQ(cudaStreamCreateWithFlags(&stream, 0x1000), cudaErrorInvalidValue);
  CHECK_EQ(cudaEventCreateWithFlags(&event, 0x1000), cudaErrorInvalidValue);
  CHECK_EQ(cudaRuntimeGetVersion(nullptr), cudaErrorInvalidValue);
  CHECK_EQ(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  // No bytes are no error, and give no memory.
  memory = &memory;
  CHECK_CUDA(cudaMalloc(&memory, 0));
  CHECK(memory == nullptr);
  RETURN_RESULT();
}
