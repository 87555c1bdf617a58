// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// malloc in kernels: a limit, memory that can be used, and bytes that come back.
#include "engine/device_heap.h"

#include <cstring>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace heddle::engine;

namespace {

struct Heap {
  std::atomic<int64_t> used{0};
  DeviceResources device;
  explicit Heap(uint64_t limit) {
    device.heap_bytes = limit;
    device.heap_used = &used;
  }
};

TEST(DeviceHeap, GivesAlignedMemory) {
  Heap heap(1 << 20);
  std::vector<void *> all;
  for (uint64_t bytes : {1u, 2u, 15u, 16u, 17u, 100u, 4096u}) {
    void *memory = heapAllocate(heap.device, bytes);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 16, 0u); // CUDA guide: at least 16 bytes
    std::memset(memory, 0xab, bytes);
    all.push_back(memory);
  }
  for (void *memory : all)
    heapRelease(heap.device, memory);
  EXPECT_EQ(heap.used, 0);
}

TEST(DeviceHeap, ReturnsNullWhenUsedUp) {
  Heap heap(1000);
  void *first = heapAllocate(heap.device, 600);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(heapAllocate(heap.device, 600), nullptr);
  heapRelease(heap.device, first);
  void *again = heapAllocate(heap.device, 600);
  EXPECT_NE(again, nullptr);
  heapRelease(heap.device, again);
  EXPECT_EQ(heap.used, 0);
}

TEST(DeviceHeap, RefusesSizesThatCannotBe) {
  Heap heap(1 << 20);
  for (uint64_t bytes : {UINT64_MAX, UINT64_MAX - 15, UINT64_MAX - 31, uint64_t(INT64_MAX),
                         uint64_t(1) << 63, uint64_t(1) << 20})
    EXPECT_EQ(heapAllocate(heap.device, bytes), nullptr) << bytes;
  EXPECT_EQ(heap.used, 0);
}

TEST(DeviceHeap, FreeingNullDoesNothing) {
  Heap heap(1000);
  heapRelease(heap.device, nullptr);
  EXPECT_EQ(heap.used, 0);
}

TEST(DeviceHeap, ManyThreadsStayWithinTheLimit) {
  Heap heap(100 * 1024);
  std::atomic<bool> exceeded{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        std::vector<void *> mine;
        while (void *memory = heapAllocate(heap.device, 1000))
          mine.push_back(memory);
        if (mine.size() > 100)
          exceeded = true;
        for (void *memory : mine)
          heapRelease(heap.device, memory);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(exceeded);
  EXPECT_EQ(heap.used, 0);
}

} // namespace
