// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What joins CUDA to other programming interfaces says that it is not supported, and says so again
// as the thread's last error.
// hardware: skip GPUs have these interfaces
#include "check.h"

#define CHECK_NOT_SUPPORTED(call)                                                                  \
  do {                                                                                             \
    CHECK_EQ(call, cudaErrorNotSupported);                                                         \
    CHECK_EQ(cudaGetLastError(), cudaErrorNotSupported);                                           \
    CHECK_EQ(cudaGetLastError(), cudaSuccess);                                                     \
  } while (0)

void externalMemory() {
  cudaExternalMemory_t memory = nullptr;
  cudaExternalMemoryHandleDesc handle = {};
  handle.type = cudaExternalMemoryHandleTypeOpaqueFd;
  handle.size = 4096;
  CHECK_NOT_SUPPORTED(cudaImportExternalMemory(&memory, &handle));
  CHECK(memory == nullptr);
  void *mapped = nullptr;
  cudaExternalMemoryBufferDesc buffer = {};
  CHECK_NOT_SUPPORTED(cudaExternalMemoryGetMappedBuffer(&mapped, memory, &buffer));
  cudaMipmappedArray_t array = nullptr;
  cudaExternalMemoryMipmappedArrayDesc levels = {};
  CHECK_NOT_SUPPORTED(cudaExternalMemoryGetMappedMipmappedArray(&array, memory, &levels));
  CHECK_NOT_SUPPORTED(cudaDestroyExternalMemory(memory));
}

void externalSemaphores() {
  cudaExternalSemaphore_t semaphore = nullptr;
  cudaExternalSemaphoreHandleDesc handle = {};
  CHECK_NOT_SUPPORTED(cudaImportExternalSemaphore(&semaphore, &handle));
  cudaExternalSemaphoreSignalParams signal = {};
  cudaExternalSemaphoreWaitParams wait = {};
  CHECK_NOT_SUPPORTED(cudaSignalExternalSemaphoresAsync(&semaphore, &signal, 1, nullptr));
  CHECK_NOT_SUPPORTED(cudaWaitExternalSemaphoresAsync(&semaphore, &wait, 1, nullptr));
  CHECK_NOT_SUPPORTED(cudaDestroyExternalSemaphore(semaphore));
}

void partsOfTheDriver() {
  int attributes[16];
  CHECK_NOT_SUPPORTED(cudaDeviceGetNvSciSyncAttributes(attributes, 0, cudaNvSciSyncAttrSignal));
  const void *table = nullptr;
  cudaUUID_t id = {};
  CHECK_NOT_SUPPORTED(cudaGetExportTable(&table, &id));
}

int main() {
  externalMemory();
  externalSemaphores();
  partsOfTheDriver();
  // Everything else goes on.
  DeviceBuffer<int> works(std::vector<int>{7});
  CHECK_EQ(works.download()[0], 7);
  RETURN_RESULT();
}
