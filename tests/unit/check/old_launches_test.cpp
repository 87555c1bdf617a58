// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the race checker keeps of launches and copies does not grow with how many there are.
#include "check/race/race_checker.h"

#include <gtest/gtest.h>

namespace heddle::check {
namespace {

const int a = 0, b = 0; // streams

TEST(OldLaunches, AreForgotten) {
  RaceChecker checker;
  MemoryMap none;
  const ToldMemory told(none);
  alignas(64) static char memory[64];
  const auto at = uint64_t(memory);
  checker.allocated(at, sizeof(memory));
  size_t most = 0;
  for (uint64_t ticket = 1; ticket <= RaceChecker::most_launches; ++ticket)
    for (const void *stream : {&a, &b}) {
      checker.issued({stream, ticket}, {});
      RaceChecker::workBegin({stream, ticket});
      checker.transfer(at + (stream == &b ? 32 : 0), 32, true);
      most = std::max(most, checker.launches());
    }
  EXPECT_GT(most, RaceChecker::most_launches / 2);
  EXPECT_LE(most, RaceChecker::most_launches);
  // A race with what is not forgotten is found.
  EXPECT_TRUE(checker.findings(told).empty());
  checker.transfer(at, 32, true);
  EXPECT_EQ(checker.findings(told).size(), 1u);
}

} // namespace
} // namespace heddle::check
