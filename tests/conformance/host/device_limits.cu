// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device limits can be read and set: stack, printf buffer, heap; a larger heap allows larger
// allocations in kernels.
#include "check.h"

static size_t limit(cudaLimit which) {
  size_t value = 0;
  CHECK_CUDA(cudaDeviceGetLimit(&value, which));
  return value;
}

__global__ void allocate(size_t bytes, int *worked) {
  char *memory = static_cast<char *>(malloc(bytes));
  *worked = memory != nullptr;
  if (memory) {
    memory[0] = memory[bytes - 1] = 1;
    free(memory);
  }
}

int main() {
  CHECK_EQ(limit(cudaLimitStackSize), 1024);
  CHECK_EQ(limit(cudaLimitMallocHeapSize), 8 << 20);
  CHECK(limit(cudaLimitPrintfFifoSize) >= 1 << 20);
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
  CHECK(limit(cudaLimitMallocHeapSize) >= 64 << 20);
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  CHECK(limit(cudaLimitStackSize) >= 8192);
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 << 20));
  CHECK(limit(cudaLimitPrintfFifoSize) >= 2 << 20);
  DeviceBuffer<int> worked(1);
  allocate<<<1, 1>>>(32 << 20, worked);
  CHECK_EQ(worked.download()[0], 1);
  allocate<<<1, 1>>>(size_t(4) << 30, worked);
  CHECK_EQ(worked.download()[0], 0); // no memory is no error
  RETURN_RESULT();
}
