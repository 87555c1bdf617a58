// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Switching stacks: values go both ways, stacks are reused, and an unfinished fiber can start anew.
#include "engine/schedule/fiber.h"

#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <vector>

using namespace heddle::engine;

namespace {

int steps = 0;

// Adds up what it is given, and answers with the sum so far.
void addUp(void *argument) {
  intptr_t sum = 0;
  for (;;) {
    sum += reinterpret_cast<intptr_t>(argument);
    ++steps;
    argument = switchBack(reinterpret_cast<void *>(sum));
  }
}

intptr_t give(Fiber &fiber, intptr_t value) {
  return reinterpret_cast<intptr_t>(switchTo(fiber, reinterpret_cast<void *>(value)));
}

TEST(Fiber, ValuesGoBothWays) {
  FiberPool pool(addUp);
  Fiber *fiber = pool.acquire(64 << 10);
  EXPECT_EQ(give(*fiber, 5), 5);
  EXPECT_EQ(give(*fiber, 7), 12);
  EXPECT_EQ(give(*fiber, -20), -8);
  pool.release(fiber);
}

// As many as an H200 has threads in flight are more than Linux lets a process have mappings, if
// each stack has a guard page of its own.
TEST(Fiber, ManyStacksLeaveRoomForOtherMappings) {
  FiberPool pool(addUp);
  std::vector<Fiber *> fibers;
  for (int i = 0; i < 80000; ++i)
    fibers.push_back(pool.acquire(4 << 10));
  EXPECT_EQ(give(*fibers.front(), 5), 5);
  EXPECT_EQ(give(*fibers.back(), 7), 7);
  std::vector<void *> others;
  for (int i = 0; i < 1000; ++i) { // not alike, so that they are as many mappings
    others.push_back(mmap(nullptr, 4096, i % 2 ? PROT_READ : PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(others.back(), MAP_FAILED) << i;
  }
  for (void *other : others)
    munmap(other, 4096);
}

// A launch within a launch: with fibers of its own, whose fault does not touch those around it.
TEST(Fiber, CallsOnAnotherStackHaveFibersOfTheirOwn) {
  struct Around {
    FiberPool pool{[](void *argument) {
      for (;; argument = switchBack(argument)) {
        intptr_t result = reinterpret_cast<intptr_t>(argument);
        callOnOwnStack(
            [](void *result) {
              static FiberPool inner(addUp);
              Fiber *fiber = inner.acquire(64 << 10), *abandoned = inner.acquire(64 << 10);
              auto &value = *static_cast<intptr_t *>(result);
              value = give(*fiber, value) + give(*abandoned, 1000);
              inner.release(fiber);
              inner.abandonAll();
            },
            &result);
        argument = reinterpret_cast<void *>(result);
      }
    }};
  } around;
  Fiber *fiber = around.pool.acquire(64 << 10);
  EXPECT_EQ(give(*fiber, 5), 1005);
  EXPECT_EQ(give(*fiber, 7), 1012) << "an abandoned fiber starts anew";
  around.pool.release(fiber);
}

TEST(Fiber, AbandonedFibersAreThoseOfTheLaunch) {
  static FiberPool pool(addUp);
  Fiber *outer = pool.acquire(64 << 10);
  EXPECT_EQ(give(*outer, 5), 5);
  callOnOwnStack(
      [](void *) {
        (void)pool.acquire(64 << 10);
        pool.abandonAll();
      },
      nullptr);
  EXPECT_EQ(give(*outer, 5), 10);
  EXPECT_NE(pool.acquire(64 << 10), outer);
}

TEST(Fiber, EachHasAStackOfItsOwn) {
  FiberPool pool(addUp);
  std::vector<Fiber *> fibers;
  for (int i = 0; i < 100; ++i)
    fibers.push_back(pool.acquire(64 << 10));
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < 100; ++i)
      EXPECT_EQ(give(*fibers[size_t(i)], i), i * (round + 1));
  for (Fiber *fiber : fibers)
    pool.release(fiber);
}

TEST(Fiber, IdleOnesAreUsedAgainIfLargeEnough) {
  FiberPool pool(addUp);
  Fiber *small = pool.acquire(64 << 10), *large = pool.acquire(1 << 20);
  EXPECT_NE(small, large);
  give(*small, 1);
  give(*large, 1);
  pool.release(large);
  pool.release(small);
  EXPECT_EQ(pool.acquire(512 << 10), large);
  EXPECT_EQ(pool.acquire(10), small);
  Fiber *third = pool.acquire(10);
  EXPECT_NE(third, small);
  EXPECT_NE(third, large);
}

TEST(Fiber, RestartBeginsAnew) {
  FiberPool pool(addUp);
  Fiber *fiber = pool.acquire(64 << 10);
  give(*fiber, 5);
  give(*fiber, 5);
  pool.restart(fiber);
  EXPECT_EQ(give(*fiber, 1), 1);
}

TEST(Fiber, AbandonedFibersAreIdleAgain) {
  FiberPool pool(addUp);
  Fiber *fiber = pool.acquire(64 << 10);
  give(*fiber, 5);
  pool.abandonAll();
  Fiber *again = pool.acquire(64 << 10);
  EXPECT_EQ(again, fiber);
  EXPECT_EQ(give(*again, 2), 2);
}

// The whole stack can be written, down to its lowest address.
void useStack(void *argument) {
  auto *fiber = static_cast<Fiber *>(argument);
  char here;
  const size_t room = size_t(&here - fiber->stack);
  std::vector<char> result;
  volatile char *deep = static_cast<volatile char *>(__builtin_alloca(room - 4096));
  deep[0] = 1;
  deep[room - 4097] = 2;
  switchBack(const_cast<char *>(deep));
  __builtin_trap();
}

TEST(Fiber, HasTheStackItWasPromised) {
  FiberPool pool(useStack);
  Fiber *fiber = pool.acquire(256 << 10);
  ASSERT_GE(fiber->stack_bytes, size_t(256) << 10);
  const char *deep = static_cast<char *>(switchTo(*fiber, fiber));
  EXPECT_LT(size_t(deep - fiber->stack), 8192u);
}

} // namespace
