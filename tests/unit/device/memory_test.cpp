// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/memory/memory.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

constexpr size_t MiB = size_t(1) << 20;

TEST(Memory, FindsAllocationsByAnyAddressInside) {
  Memory memory({64 * MiB, 64 * MiB});
  auto *block = static_cast<char *>(memory.allocateOnDevice(1, 1000));
  for (size_t offset : {0, 500, 999}) {
    auto found = memory.find(block + offset);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->base, block);
    EXPECT_EQ(found->size, 1000u);
    EXPECT_EQ(found->device, 1);
    EXPECT_TRUE(found->onDevice());
  }
  EXPECT_FALSE(memory.find(block + 1000));
  EXPECT_FALSE(memory.find(block - 1));
  EXPECT_TRUE(memory.stray(block + 1000));
  EXPECT_FALSE(memory.stray(block));
  int elsewhere = 0;
  EXPECT_FALSE(memory.stray(&elsewhere));
}

TEST(Memory, ChecksBounds) {
  char array[10];
  Allocation allocation{array, 10, MemoryKind::Registered, 0, 0};
  EXPECT_TRUE(allocation.holds(array, 10));
  EXPECT_TRUE(allocation.holds(array + 9, 1));
  EXPECT_FALSE(allocation.holds(array, 11));
  EXPECT_FALSE(allocation.holds(array + 9, 2));
  EXPECT_FALSE(allocation.holds(array + 1, SIZE_MAX));
}

TEST(Memory, CountsAgainstTheDevicesSize) {
  Memory memory({4 * MiB, 4 * MiB});
  EXPECT_EQ(memory.used(0), 0u);
  void *block = memory.allocateOnDevice(0, 3 * MiB);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(memory.used(0), 3 * MiB);
  EXPECT_EQ(memory.used(1), 0u);
  EXPECT_EQ(memory.allocateOnDevice(0, 2 * MiB), nullptr);
  EXPECT_NE(memory.allocateOnDevice(1, 2 * MiB), nullptr);
  EXPECT_NE(memory.allocateOnHost(0, 64 * MiB, MemoryKind::Managed, 0), nullptr);
  EXPECT_TRUE(memory.release(*memory.find(block)));
  EXPECT_EQ(memory.used(0), 0u);
  EXPECT_NE(memory.allocateOnDevice(0, 4 * MiB), nullptr);
}

TEST(Memory, ReleasesOnce) {
  Memory memory({4 * MiB});
  Allocation block = *memory.find(memory.allocateOnDevice(0, 10));
  EXPECT_TRUE(memory.release(block));
  EXPECT_FALSE(memory.release(block));
}

TEST(Memory, KnowsRegisteredMemoryOnce) {
  Memory memory({4 * MiB});
  char all[300], *array = all + 100;
  EXPECT_TRUE(memory.add({array, 100, MemoryKind::Registered, 0, 0}));
  EXPECT_FALSE(memory.add({array + 50, 100, MemoryKind::Registered, 0, 0}));
  EXPECT_FALSE(memory.add({array - 50, 51, MemoryKind::Registered, 0, 0}));
  EXPECT_TRUE(memory.add({array - 50, 50, MemoryKind::Registered, 0, 0}));
  EXPECT_TRUE(memory.find(array + 99));
  EXPECT_TRUE(memory.release(*memory.find(array)));
  EXPECT_FALSE(memory.find(array));
}

TEST(Memory, KnowsHowMuchLiesBehindAnAddress) {
  Memory memory({4 * MiB});
  auto *block = static_cast<char *>(memory.allocateOnDevice(0, 1000));
  EXPECT_EQ(memory.bytesBehind(block), 1000u);
  EXPECT_EQ(memory.bytesBehind(block + 999), 1u);
  EXPECT_EQ(memory.bytesBehind(block + 1000), 0u);
  char array[100]; // at which the host looks
  EXPECT_TRUE(memory.add({array, 100, MemoryKind::Registered, 0, 0}));
  EXPECT_EQ(memory.bytesBehind(array), 0u);
}

TEST(Memory, DividesABlockIntoVariables) {
  Memory memory({4 * MiB});
  auto *block = static_cast<char *>(memory.allocateOnDevice(0, 100));
  memory.divide(block,
                {{block, 40, MemoryKind::Symbol, 0, 0}, {block + 48, 8, MemoryKind::Symbol, 0, 0}});
  EXPECT_EQ(memory.find(block + 39)->size, 40u);
  EXPECT_FALSE(memory.find(block + 40));
  EXPECT_EQ(memory.find(block + 50)->base, block + 48);
}

TEST(Memory, ResetsOneDevice) {
  Memory memory({4 * MiB, 4 * MiB});
  void *zero = memory.allocateOnDevice(0, 10), *one = memory.allocateOnDevice(1, 10);
  void *pinned = memory.allocateOnHost(0, 10, MemoryKind::Pinned, 0);
  memory.releaseAll(0);
  EXPECT_FALSE(memory.find(zero));
  EXPECT_FALSE(memory.find(pinned));
  EXPECT_TRUE(memory.find(one));
  EXPECT_EQ(memory.used(0), 0u);
}

} // namespace
