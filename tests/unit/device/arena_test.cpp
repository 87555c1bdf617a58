// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/memory/arena.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <vector>

using heddle::Arena;

namespace {

constexpr size_t MiB = size_t(1) << 20;

uintptr_t number(void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

TEST(Arena, AlignsEverySize) {
  Arena arena(64 * MiB);
  for (size_t bytes : {size_t(1), size_t(512), size_t(513), size_t(300000), 3 * MiB}) {
    void *memory = arena.allocate(bytes);
    ASSERT_NE(memory, nullptr) << bytes;
    EXPECT_EQ(number(memory) % Arena::alignment, 0u) << bytes;
    memset(memory, 1, bytes);
  }
}

TEST(Arena, ForgivesASmallOverrun) {
  Arena arena(64 * MiB);
  for (size_t bytes : {size_t(100), size_t(100000), 4 * MiB}) {
    auto *first = static_cast<char *>(arena.allocate(bytes));
    auto *second = static_cast<char *>(arena.allocate(bytes));
    memset(second, 7, bytes);
    memset(first, 1, bytes + 256);
    EXPECT_EQ(second[0], 7) << bytes;
  }
}

TEST(Arena, SaysNoWhenFull) {
  Arena arena(8 * MiB);
  std::vector<void *> blocks;
  while (void *block = arena.allocate(4 * MiB)) {
    blocks.push_back(block);
    ASSERT_LT(blocks.size(), 1000u);
  }
  EXPECT_GE(blocks.size(), 2u);
  EXPECT_EQ(arena.allocate(size_t(1) << 60), nullptr);
  EXPECT_TRUE(arena.release(blocks.back()));
  EXPECT_NE(arena.allocate(4 * MiB), nullptr);
}

TEST(Arena, ReleasesOnce) {
  Arena arena(8 * MiB);
  for (size_t bytes : {size_t(10), 2 * MiB}) {
    void *memory = arena.allocate(bytes);
    EXPECT_FALSE(arena.release(static_cast<char *>(memory) + 8));
    EXPECT_TRUE(arena.release(memory));
    EXPECT_FALSE(arena.release(memory));
  }
}

TEST(Arena, UsesFreedMemoryAgain) {
  Arena arena(4 * MiB);
  for (int i = 0; i < 10000; ++i)
    for (size_t bytes : {size_t(1000), 3 * MiB}) {
      void *memory = arena.allocate(bytes);
      ASSERT_NE(memory, nullptr);
      ASSERT_TRUE(arena.release(memory));
    }
}

TEST(Arena, KnowsItsRange) {
  Arena arena(8 * MiB);
  int elsewhere = 0;
  EXPECT_TRUE(arena.contains(arena.allocate(1)));
  EXPECT_FALSE(arena.contains(&elsewhere));
}

TEST(Arena, ReleasesAll) {
  Arena arena(8 * MiB);
  void *memory = arena.allocate(5 * MiB);
  arena.allocate(10);
  arena.releaseAll();
  EXPECT_FALSE(arena.release(memory));
  EXPECT_NE(arena.allocate(8 * MiB), nullptr);
}

using ArenaDeathTest = testing::Test;

TEST(ArenaDeathTest, FreedAndWildAccessesFault) {
  Arena arena(64 * MiB);
  auto *memory = static_cast<volatile char *>(arena.allocate(4 * MiB));
  EXPECT_DEATH(memory[4 * MiB + (64 << 10)] = 1, "");
  arena.release(const_cast<char *>(memory));
  EXPECT_DEATH(memory[0] = 1, "");
}

// Its memory is kept: a smaller allocation that gets it ends where it should.
TEST(ArenaDeathTest, MemoryThatIsUsedAgainEndsWithItsAllocation) {
  Arena arena(64 * MiB);
  void *first = arena.allocate(4 * MiB);
  static_cast<char *>(first)[3 * MiB] = 7;
  arena.release(first);
  auto *second = static_cast<volatile char *>(arena.allocate(3 * MiB));
  ASSERT_EQ(const_cast<char *>(second), first);
  second[3 * MiB - 1] = 1;
  EXPECT_EQ(second[3 * MiB], 7); // slack
  EXPECT_DEATH(second[3 * MiB + (64 << 10)] = 1, "");
}

// What is kept makes room for what needs it.
TEST(Arena, KeptMemoryIsNotInTheWay) {
  Arena arena(64 * MiB);
  std::vector<void *> all;
  for (int i = 0; i < 40; ++i)
    all.push_back(arena.allocate(5 * MiB));
  for (void *memory : all)
    arena.release(memory);
  void *large = arena.allocate(300 * MiB);
  ASSERT_NE(large, nullptr);
  static_cast<char *>(large)[300 * MiB - 1] = 1;
}

TEST(Arena, PopulatesWhatItHolds) {
  Arena arena(8 * MiB);
  auto *memory = static_cast<char *>(arena.allocate(5 * MiB));
  Arena::populate(memory + 1, 5 * MiB - 1);
  EXPECT_EQ(memory[5 * MiB - 1], 0);
  Arena::populate(memory, 500 * MiB); // a hint only
}

TEST(Arena, KeepsBlocksApartUnderRandomUse) {
  Arena arena(256 * MiB);
  std::mt19937 random(1);
  struct Block {
    unsigned char *memory;
    size_t bytes;
    unsigned char mark;
  };
  std::vector<Block> live;
  for (int i = 0; i < 4000; ++i) {
    if (live.size() > 50 || (!live.empty() && random() % 3 == 0)) {
      size_t index = random() % live.size();
      Block block = live[index];
      for (size_t at : {size_t(0), block.bytes / 2, block.bytes - 1})
        ASSERT_EQ(block.memory[at], block.mark);
      ASSERT_TRUE(arena.release(block.memory));
      live[index] = live.back();
      live.pop_back();
      continue;
    }
    size_t bytes = 1 + random() % (random() % 8 == 0 ? MiB : 5000);
    auto *memory = static_cast<unsigned char *>(arena.allocate(bytes));
    ASSERT_NE(memory, nullptr);
    memset(memory, i & 255, bytes);
    live.push_back({memory, bytes, static_cast<unsigned char>(i & 255)});
  }
}

TEST(Arena, ServesManyThreads) {
  Arena arena(256 * MiB);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&arena, t] {
      for (int i = 0; i < 500; ++i) {
        size_t bytes = 1 + size_t(i) * 977 % 400000;
        auto *memory = static_cast<char *>(arena.allocate(bytes));
        ASSERT_NE(memory, nullptr);
        memory[0] = memory[bytes - 1] = char(t);
        ASSERT_EQ(memory[0], char(t));
        ASSERT_TRUE(arena.release(memory));
      }
    });
  for (auto &thread : threads)
    thread.join();
}

} // namespace
