// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.h"

#include <cstdlib>

using namespace program;

namespace {

class MemoryTest : public program::Test {
protected:
  void *pointer = nullptr;
};

TEST_F(MemoryTest, AllocatesAndFreesOnce) {
  ASSERT_EQ(cudaMalloc(&pointer, 1000), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % 256, 0u);
  EXPECT_EQ(cudaFree(static_cast<char *>(pointer) + 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
  EXPECT_EQ(cudaFree(pointer), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  int host = 0;
  EXPECT_EQ(cudaFree(&host), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc(&pointer, 0), cudaSuccess);
  EXPECT_EQ(pointer, nullptr);
}

TEST_F(MemoryTest, RunsOutOfMemory) {
  size_t free = 0, total = 0, before = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  EXPECT_EQ(total, 15828320256u);
  EXPECT_EQ(cudaMalloc(&pointer, total + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(cudaMalloc(&pointer, SIZE_MAX), cudaErrorMemoryAllocation);
  ASSERT_EQ(cudaMalloc(&pointer, 1 << 20), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&free, nullptr), cudaSuccess);
  EXPECT_EQ(before - free, size_t(1) << 20);
}

TEST_F(MemoryTest, PitchesRows) {
  size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&pointer, &pitch, 513, 3), cudaSuccess);
  EXPECT_EQ(pitch, 1024u);
  cudaPitchedPtr box = {};
  ASSERT_EQ(cudaMalloc3D(&box, cudaExtent{100, 5, 2}), cudaSuccess);
  EXPECT_EQ(box.pitch, 512u);
  EXPECT_EQ(box.xsize, 100u);
  EXPECT_EQ(box.ysize, 5u);
  EXPECT_EQ(cudaMemset(box.ptr, 0, 512 * 10), cudaSuccess);
  EXPECT_EQ(cudaMemset(box.ptr, 0, 512 * 10 + 1), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, KnowsPinnedMemory) {
  unsigned flags = 0;
  void *device = nullptr;
  ASSERT_EQ(cudaMallocHost(&pointer, 100), cudaSuccess);
  EXPECT_EQ(cudaHostGetFlags(&flags, pointer), cudaSuccess);
  EXPECT_EQ(flags, unsigned(cudaHostAllocMapped));
  EXPECT_EQ(cudaHostGetDevicePointer(&device, pointer, 0), cudaSuccess);
  EXPECT_EQ(device, pointer);
  EXPECT_EQ(cudaFree(pointer), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pointer), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pointer), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostAlloc(&pointer, 4, 64), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, RegistersHostMemory) {
  static char memory[8192];
  void *device = nullptr;
  EXPECT_EQ(cudaHostGetDevicePointer(&device, memory, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostRegister(memory, sizeof memory, cudaHostRegisterMapped), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(memory, 10, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostGetDevicePointer(&device, memory, 0), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(memory), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(memory + 8), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(memory), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(memory), cudaErrorHostMemoryNotRegistered);
}

TEST_F(MemoryTest, TellsWhatPointersPointAt) {
  cudaPointerAttributes attributes;
  int host = 0;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, &host), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(attributes.device, cudaInvalidDeviceId);
  EXPECT_EQ(attributes.hostPointer, &host);
  EXPECT_EQ(attributes.devicePointer, &host); // kernels reach it
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&pointer, 100), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, static_cast<char *>(pointer) + 9), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes.device, 1);
  EXPECT_EQ(attributes.devicePointer, static_cast<char *>(pointer) + 9);
  EXPECT_EQ(attributes.hostPointer, nullptr);
  ASSERT_EQ(cudaMallocManaged(&pointer, 100, cudaMemAttachGlobal), cudaSuccess);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
  ASSERT_EQ(cudaMallocHost(&pointer, 100), cudaSuccess);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, managed_variable), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
}

TEST_F(MemoryTest, ChecksHintsForManagedMemory) {
  void *other = nullptr;
  ASSERT_EQ(cudaMallocManaged(&pointer, 4096, cudaMemAttachGlobal), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&other, 4096), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(pointer, 4096, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(pointer, 4096, cudaCpuDeviceId, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(pointer, 0, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(pointer, 4097, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(pointer, 4096, 9, nullptr), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemPrefetchAsync(other, 4096, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemAdvise(pointer, 4096, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(other, 4096, cudaMemAdviseSetReadMostly, 0), cudaErrorInvalidValue);
  std::vector<char> own(10000);
  EXPECT_EQ(cudaMemPrefetchAsync(own.data(), own.size(), 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(own.data(), own.size(), cudaMemAdviseSetPreferredLocation, 0),
            cudaSuccess);
  EXPECT_EQ(cudaMemAdvise(own.data(), own.size(), cudaMemAdviseSetPreferredLocation, 9),
            cudaErrorInvalidDevice);
  auto *nowhere = reinterpret_cast<void *>(uintptr_t(8192));
  EXPECT_EQ(cudaMemAdvise(nowhere, 100, cudaMemAdviseSetReadMostly, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(nowhere, 100, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemAdvise(own.data(), SIZE_MAX, cudaMemAdviseSetReadMostly, 0),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocManaged(&pointer, 4, 9), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(managed_variable), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, AllocatesInStreamOrder) {
  int value = 0;
  ASSERT_EQ(cudaMallocAsync(&pointer, sizeof(int), nullptr), cudaSuccess);
  ASSERT_EQ(launchStore(static_cast<int *>(pointer), 3), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(&value, pointer, sizeof value, cudaMemcpyDeviceToHost, nullptr),
            cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(pointer, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(value, 3);
  EXPECT_EQ(cudaFree(pointer), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeAsync(nullptr, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(&value, nullptr), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, KeepsAccountOfPools) {
  cudaMemPool_t standard = nullptr, pool = nullptr, current = nullptr;
  uint64_t threshold = UINT64_MAX, value = 0;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&standard, 0), cudaSuccess);
  ASSERT_EQ(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &threshold),
            cudaSuccess);
  ASSERT_EQ(cudaMemPoolGetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &value),
            cudaSuccess);
  EXPECT_EQ(value, threshold);
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  ASSERT_EQ(cudaMemPoolCreate(&pool, &props), cudaSuccess);
  ASSERT_EQ(cudaDeviceSetMemPool(0, pool), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_EQ(current, pool);
  ASSERT_EQ(cudaMallocAsync(&pointer, 1024, nullptr), cudaSuccess);
  auto used = [&](cudaMemPool_t which) {
    EXPECT_EQ(cudaMemPoolGetAttribute(which, cudaMemPoolAttrUsedMemCurrent, &value), cudaSuccess);
    return value;
  };
  EXPECT_EQ(used(pool), 1024u);
  EXPECT_EQ(used(standard), 0u);
  ASSERT_EQ(cudaFreeAsync(pointer, nullptr), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(used(pool), 0u);
  ASSERT_EQ(cudaMallocFromPoolAsync(&pointer, 512, standard, nullptr), cudaSuccess);
  EXPECT_EQ(used(standard), 512u);
  EXPECT_EQ(cudaMemPoolDestroy(standard), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
  props.usage = cudaMemPoolCreateUsageHwDecompress;
  ASSERT_EQ(cudaMemPoolCreate(&pool, &props), cudaSuccess);
  ASSERT_EQ(cudaMallocFromPoolAsync(&pointer, 512, pool, nullptr), cudaSuccess);
  ASSERT_EQ(cudaFreeAsync(pointer, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
  props.usage = 0x40; // no known use, which an H200 takes
  ASSERT_EQ(cudaMemPoolCreate(&pool, &props), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetMemPool(&current, 0), cudaSuccess);
  EXPECT_EQ(current, standard);
}

} // namespace
