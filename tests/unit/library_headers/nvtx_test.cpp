// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <nvToolsExt.h>

#include <gtest/gtest.h>

#include <thread>

namespace {

TEST(Nvtx, countsNestedRangesOfAThread) {
  EXPECT_EQ(nvtxRangePop(), NVTX_NO_PUSH_POP_TRACKING);
  EXPECT_EQ(nvtxRangePushA("outer"), 0);
  EXPECT_EQ(nvtxRangePush("inner"), 1);
  std::thread([] {
    EXPECT_EQ(nvtxRangePushA("other thread"), 0);
    EXPECT_EQ(nvtxRangePop(), 0);
  }).join();
  EXPECT_EQ(nvtxRangePop(), 1);
  EXPECT_EQ(nvtxRangePop(), 0);
}

TEST(Nvtx, startedRangesDiffer) {
  const nvtxRangeId_t first = nvtxRangeStartA("a"), second = nvtxRangeStartA("b");
  EXPECT_NE(first, second);
  nvtxRangeEnd(first);
  nvtxRangeEnd(second);
}

} // namespace
