// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>

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

struct Domain {
  static constexpr const char *name = "tests";
};
struct Text {
  static constexpr const char *message = "text";
};

// How deep the calling thread's ranges are nested.
int depth() {
  const int here = nvtxRangePushA("");
  nvtxRangePop();
  return here;
}

int inFunction(bool also_if) {
  NVTX3_FUNC_RANGE_IN(Domain);
  if (also_if) {
    NVTX3_FUNC_RANGE_IF(also_if);
    return depth();
  }
  return depth();
}

TEST(NvtxCpp, rangesLastAsLongAsTheirObjects) {
  EXPECT_EQ(depth(), 0);
  {
    const nvtx3::scoped_range outer("outer", nvtx3::color(0xff00ff00u));
    EXPECT_EQ(depth(), 1);
    const nvtx3::scoped_range_in<Domain> inner(nvtx3::rgb(1, 2, 3), nvtx3::payload(1.5));
    EXPECT_EQ(depth(), 2);
  }
  EXPECT_EQ(inFunction(false), 1);
  EXPECT_EQ(inFunction(true), 1); // such a range may end elsewhere
  EXPECT_EQ(depth(), 0);
}

TEST(NvtxCpp, attributesOfEvents) {
  const auto &text = nvtx3::registered_string_in<Domain>::get<Text>();
  const nvtx3::event_attributes event(nvtx3::category(7), text, nvtx3::argb(1, 2, 3, 4),
                                      nvtx3::payload(int32_t(-5)), nvtx3::message("later"));
  EXPECT_EQ(event.get()->version, NVTX_VERSION);
  EXPECT_EQ(event.get()->size, sizeof(nvtxEventAttributes_t));
  EXPECT_EQ(event.get()->category, 7u);
  EXPECT_EQ(event.get()->color, 0x01020304u);
  EXPECT_EQ(event.get()->payloadType, NVTX_PAYLOAD_TYPE_INT32);
  EXPECT_EQ(event.get()->payload.iValue, -5);
  EXPECT_EQ(event.get()->messageType, NVTX_MESSAGE_TYPE_REGISTERED);
  nvtx3::mark_in<Domain>("here", nvtx3::payload(uint64_t(1)));
}

TEST(NvtxCpp, startedRangesAreMoved) {
  nvtx3::unique_range first("first"), second(std::move(first));
  const nvtx3::range_handle started = nvtx3::start_range_in<Domain>("third");
  EXPECT_TRUE(bool(started));
  EXPECT_NE(started, nvtx3::start_range("fourth"));
  nvtx3::end_range_in<Domain>(started);
  EXPECT_FALSE(bool(nvtx3::range_handle()));
}

} // namespace
