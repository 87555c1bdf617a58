// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// malloc in kernels: a limit, memory that can be used, bytes that come back, and misuse that is
// told.
#include "engine/device_heap.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace heddle::engine;

namespace {

TEST(DeviceHeap, GivesAlignedMemory) {
  const uint64_t limit = 1 << 20;
  DeviceHeap heap;
  std::vector<void *> all;
  for (uint64_t bytes : {1u, 2u, 15u, 16u, 17u, 100u, 4096u}) {
    void *memory = heap.allocate(bytes, limit);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 16, 0u); // CUDA guide: at least 16 bytes
    std::memset(memory, 0xab, bytes);
    all.push_back(memory);
  }
  for (void *memory : all)
    heap.release(memory);
  EXPECT_EQ(heap.bytesInUse(), 0u);
}

TEST(DeviceHeap, ReturnsNullWhenUsedUp) {
  const uint64_t limit = 1000;
  DeviceHeap heap;
  void *first = heap.allocate(600, limit);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(heap.allocate(600, limit), nullptr);
  heap.release(first);
  void *again = heap.allocate(600, limit);
  EXPECT_NE(again, nullptr);
  heap.release(again);
  EXPECT_EQ(heap.bytesInUse(), 0u);
}

TEST(DeviceHeap, RefusesSizesThatCannotBe) {
  const uint64_t limit = 1 << 20;
  DeviceHeap heap;
  for (uint64_t bytes : {UINT64_MAX, UINT64_MAX - 15, UINT64_MAX - 31, uint64_t(INT64_MAX),
                         uint64_t(1) << 63, uint64_t(1) << 20})
    EXPECT_EQ(heap.allocate(bytes, limit), nullptr) << bytes;
  EXPECT_EQ(heap.bytesInUse(), 0u);
}

TEST(DeviceHeap, FreeingNullDoesNothing) {
  DeviceHeap heap;
  EXPECT_TRUE(heap.release(nullptr));
  EXPECT_EQ(heap.bytesInUse(), 0u);
}

TEST(DeviceHeap, EachAllocationIsReleasedOnce) {
  DeviceHeap heap, other;
  char *memory = static_cast<char *>(heap.allocate(100, 1000));
  EXPECT_FALSE(other.release(memory)) << "another device's";
  EXPECT_FALSE(heap.release(memory + 16));
  EXPECT_TRUE(heap.release(memory));
  EXPECT_FALSE(heap.release(memory));
  int local = 0;
  EXPECT_FALSE(heap.release(&local));
  EXPECT_FALSE(heap.release(reinterpret_cast<void *>(16))) << "nothing is read there";
  EXPECT_EQ(heap.bytesInUse(), 0u);
}

TEST(DeviceHeap, ClearReleasesEverything) {
  DeviceHeap heap;
  void *memory = nullptr;
  for (int i = 0; i < 10; ++i)
    memory = heap.allocate(100, 10000);
  EXPECT_GE(heap.bytesInUse(), 1000u);
  heap.clear();
  EXPECT_EQ(heap.bytesInUse(), 0u);
  EXPECT_FALSE(heap.release(memory));
}

TEST(DeviceHeap, ManyThreadsStayWithinTheLimit) {
  const uint64_t limit = 100 * 1024;
  DeviceHeap heap;
  std::atomic<bool> exceeded{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        std::vector<void *> mine;
        while (void *memory = heap.allocate(1000, limit))
          mine.push_back(memory);
        if (mine.size() > 100)
          exceeded = true;
        for (void *memory : mine)
          heap.release(memory);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(exceeded);
  EXPECT_EQ(heap.bytesInUse(), 0u);
}

} // namespace
