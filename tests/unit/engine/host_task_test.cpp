// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host code of a library that touches what must not be goes on to its end where it can.
#include "engine/host_task.h"

#include <cfenv>
#include <gtest/gtest.h>
#include <sys/mman.h>

using namespace heddle::engine;

namespace {

constexpr uintptr_t unmapped = 0x123456789000;

struct Access {
  uintptr_t address;
  bool ended = false;
  int read = -1;
};

void touch(void *argument) {
  auto &access = *static_cast<Access *>(argument);
  auto *const place = reinterpret_cast<volatile int *>(access.address);
  access.read = *place;
  *place = 7;
  access.ended = true;
}

bool isMapped(uintptr_t address) {
  unsigned char resident;
  return mincore(reinterpret_cast<void *>(address), 4096, &resident) == 0;
}

TEST(HostTask, WithoutFault) {
  int value = 3;
  Access access{reinterpret_cast<uintptr_t>(&value)};
  RawFault fault;
  EXPECT_TRUE(runHostTask(touch, &access, fault));
  EXPECT_EQ(access.read, 3);
  EXPECT_EQ(value, 7);
}

TEST(HostTask, ComputesAsADeviceWhateverTheThreadSays) {
  struct Seen {
    int rounding, enabled;
  } seen{};
  const auto look = [](void *to) {
    *static_cast<Seen *>(to) = {std::fegetround(), fegetexcept()};
    std::feraiseexcept(FE_DIVBYZERO);
  };
  std::feclearexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_UPWARD);
  feenableexcept(FE_INVALID);
  const int enabled = fegetexcept(); // not all CPUs can trap
  RawFault fault;
  EXPECT_TRUE(runHostTask(look, &seen, fault));
  const int rounding = std::fegetround(), enabled_after = fegetexcept();
  fedisableexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(seen.rounding, FE_TONEAREST);
  EXPECT_EQ(seen.enabled, 0);
  EXPECT_EQ(rounding, FE_UPWARD);
  EXPECT_EQ(enabled_after, enabled);
  EXPECT_EQ(std::fetestexcept(FE_DIVBYZERO), 0);
  EXPECT_TRUE(runHostTask(look, &seen, fault)); // where there is nothing to change
  EXPECT_EQ(std::fetestexcept(FE_DIVBYZERO), 0);

  // Behind a fault, from whose handler the thread comes without its environment.
  Access access{8};
  std::fesetround(FE_UPWARD);
  EXPECT_FALSE(runHostTask(touch, &access, fault));
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
}

TEST(HostTask, GoesOnWhereNothingIsMapped) {
  Access access{unmapped};
  RawFault fault;
  EXPECT_FALSE(runHostTask(touch, &access, fault));
  EXPECT_TRUE(access.ended);
  EXPECT_EQ(access.read, 0);
  EXPECT_EQ(fault.address, reinterpret_cast<void *>(unmapped));
  EXPECT_FALSE(isMapped(unmapped)); // the memory is gone again
}

TEST(HostTask, NamesTheFirstAddress) {
  const auto walk = [](void *) {
    for (size_t i = 0; i < 4 << 20; i += 4096)
      *reinterpret_cast<volatile char *>(unmapped + 64 + i) = 1;
  };
  RawFault fault;
  EXPECT_FALSE(runHostTask(walk, nullptr, fault));
  EXPECT_EQ(fault.address, reinterpret_cast<void *>(unmapped + 64));
  EXPECT_FALSE(isMapped(unmapped + (3 << 20)));
}

TEST(HostTask, JumpsOutAroundNull) {
  Access access{8};
  RawFault fault;
  EXPECT_FALSE(runHostTask(touch, &access, fault));
  EXPECT_FALSE(access.ended);
  EXPECT_EQ(fault.address, reinterpret_cast<void *>(8));
}

TEST(HostTask, InaccessibleMemoryOnlyOfDevices) {
  void *const memory = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const auto start = reinterpret_cast<uintptr_t>(memory);
  Access access{start};
  RawFault fault;
  EXPECT_FALSE(runHostTask(touch, &access, fault));
  EXPECT_FALSE(access.ended); // the program's own
  addDeviceRange(start, 4096);
  EXPECT_FALSE(runHostTask(touch, &access, fault));
  EXPECT_TRUE(access.ended);
  EXPECT_EQ(fault.address, memory);
  forgetDeviceRange(start);
  munmap(memory, 4096);
}

} // namespace
