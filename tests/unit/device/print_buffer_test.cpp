// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/print_buffer.h"

#include <gtest/gtest.h>

using heddle::PrintBuffer;

namespace {

std::string flushed(PrintBuffer &buffer) {
  testing::internal::CaptureStdout();
  buffer.flush();
  return testing::internal::GetCapturedStdout();
}

TEST(PrintBuffer, WaitsForAFlush) {
  PrintBuffer buffer(100);
  testing::internal::CaptureStdout();
  buffer.write("one\n");
  buffer.write("two\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(flushed(buffer), "one\ntwo\n");
  EXPECT_EQ(flushed(buffer), "");
}

TEST(PrintBuffer, LosesTheOldestWhenFull) {
  PrintBuffer buffer(10);
  buffer.write("first");
  buffer.write("second");
  buffer.write("3rd");
  EXPECT_EQ(flushed(buffer), "second3rd");
}

TEST(PrintBuffer, CanBeResizedAndCleared) {
  PrintBuffer buffer(100);
  buffer.write("abc");
  buffer.write("defg");
  buffer.setCapacity(4);
  EXPECT_EQ(flushed(buffer), "defg");
  buffer.write("x");
  buffer.clear();
  EXPECT_EQ(flushed(buffer), "");
}

} // namespace
