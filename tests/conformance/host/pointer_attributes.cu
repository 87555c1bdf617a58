// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaPointerGetAttributes tells device, pinned, managed, registered and ordinary memory apart,
// also from addresses in the middle.
#include "check.h"

__device__ int variable[4];

static cudaPointerAttributes attributesOf(const void *pointer) {
  cudaPointerAttributes attributes;
  memset(&attributes, 0xee, sizeof attributes);
  CHECK_CUDA(cudaPointerGetAttributes(&attributes, pointer));
  return attributes;
}

int main() {
  char *device, *pinned, *managed;
  CHECK_CUDA(cudaMalloc(&device, 1000));
  CHECK_CUDA(cudaMallocHost(&pinned, 1000));
  CHECK_CUDA(cudaMallocManaged(&managed, 1000));
  for (size_t offset : {0, 999}) {
    cudaPointerAttributes a = attributesOf(device + offset);
    CHECK_EQ(a.type, cudaMemoryTypeDevice);
    CHECK_EQ(a.device, 0);
    CHECK(a.devicePointer == device + offset);
    CHECK(a.hostPointer == nullptr);
    a = attributesOf(pinned + offset);
    CHECK_EQ(a.type, cudaMemoryTypeHost);
    CHECK(a.hostPointer == pinned + offset);
    CHECK(a.devicePointer == pinned + offset);
    a = attributesOf(managed + offset);
    CHECK_EQ(a.type, cudaMemoryTypeManaged);
    CHECK(a.hostPointer == managed + offset);
    CHECK(a.devicePointer == managed + offset);
  }
  void *symbol = nullptr;
  CHECK_CUDA(cudaGetSymbolAddress(&symbol, variable));
  CHECK_EQ(attributesOf(symbol).type, cudaMemoryTypeDevice);
  int local = 0;
  CHECK_EQ(attributesOf(&local).type, cudaMemoryTypeUnregistered);
  std::vector<char> memory(1 << 16);
  CHECK_CUDA(cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterDefault));
  CHECK_EQ(attributesOf(memory.data() + 100).type, cudaMemoryTypeHost);
  CHECK_CUDA(cudaHostUnregister(memory.data()));
  CHECK_EQ(attributesOf(memory.data() + 100).type, cudaMemoryTypeUnregistered);
  CHECK_CUDA(cudaFree(device));
  CHECK_CUDA(cudaFreeHost(pinned));
  CHECK_CUDA(cudaFree(managed));
  RETURN_RESULT();
}
