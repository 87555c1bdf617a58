// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses down columns (strided_2d_access.h, widen_columns.cpp) of gangs of two rows of four
// lanes. That each element goes where it belongs is shown by tests/conformance, "columns".
#include "engine/compiler/simd/plan/access_plan.h"
#include "engine/compiler/simd/plan/gang_width.h"
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

const LaneLayout two_rows = {8, LaneLayout::Kind::Tiled, 4, 4, true};

// %a is the address of element [x][y] of a matrix with %n elements a row.
const std::string element = "  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
                            "  %row = mul nsw i32 %x, %n\n  %index = add nsw i32 %row, %y\n"
                            "  %i = sext i32 %index to i64\n"
                            "  %a = getelementptr i32, ptr %p, i64 %i\n";
const std::string store = "  store i32 %u, ptr %a, align 4\n";
const std::string load = "  %v = load i32, ptr %a, align 4\n  store volatile i32 %v, ptr %e\n";

TEST(WidenColumns, StoreAVectorOfEach) {
  const std::string text = widened(element + store, {.layout = two_rows});
  expectInOrder(text, {"shufflevector <4 x i32>", "<4 x i32> <i32 0, i32 4, i32 1, i32 5>",
                       "<4 x i32> <i32 2, i32 6, i32 3, i32 7>"});
  EXPECT_EQ(count(text, "store <2 x i32>"), 4u);
  expectNone(text, {"masked", "store i32"});
}

// Columns of sixteen floats are whole lines, which may be stored past the caches
// (nontemporal_stores.h).
TEST(WidenColumns, StoreWholeLinesPastTheCaches) {
  const auto storing = [](unsigned rows, const char *metadata) {
    const LaneLayout square = {rows * 16, LaneLayout::Kind::Tiled, 16, 16, true};
    return widened(element + "  store i32 %u, ptr %a, align 4" + metadata + "\n",
                   {.layout = square, .sweeps = true});
  };
  const std::string marked = ", !heddle.streams !0";
  const std::string text = storing(16, marked.c_str());
  expectInOrder(text, {"ptrtoint ptr", field(offsetof(BlockContext, stream_bits)), "load i64",
                       "and i64", "br i1", "store <16 x i32>", "align 64, !nontemporal"});
  EXPECT_EQ(count(text, ", align 64, !nontemporal"), 16u);
  EXPECT_EQ(count(text, "store <16 x i32>"), 32u);
  expectNone(storing(8, marked.c_str()), {"nontemporal"}); // half lines
  expectNone(storing(16, ""), {"nontemporal"});
}

TEST(WidenColumns, LoadAVectorOfEach) {
  const std::string text = widened(element + load, {.layout = two_rows});
  EXPECT_EQ(count(text, "load <2 x i32>"), 4u);
  expectInOrder(
      text, {"<4 x i32> <i32 0, i32 2, i32 4, i32 6>", "<4 x i32> <i32 1, i32 3, i32 5, i32 7>"});
}

TEST(WidenColumns, NotUnderAMask) {
  expectNone(widened(element + masked + store, {.layout = two_rows}), {"store <2 x i32>"});
}

// A row's pitch in the other direction: rows are not neighbours.
TEST(WidenColumns, OnlyIfRowsAreNeighbours) {
  std::string far = element;
  far.replace(far.find("%row, %y"), 8, "%row, %z");
  far.insert(far.find("  %row"), "  %z = mul nsw i32 %y, 3\n");
  expectNone(widened(far + store, {.layout = two_rows}), {"store <2 x i32>"});
}

// An index that may wrap from lane to lane has no distance.
TEST(WidenColumns, OnlyIfIndicesDoNotWrap) {
  std::string wraps = element;
  wraps.replace(wraps.find("mul nsw"), 7, "mul");
  expectNone(widened(wraps + store, {.layout = two_rows}), {"store <2 x i32>"});
}

TEST(WidenColumns, HaveARemark) {
  std::vector<Remark> remarks;
  widened(element + store, {.layout = two_rows}, "", &remarks);
  ASSERT_FALSE(remarks.empty());
  EXPECT_EQ(remarks.back().kind, Remark::Kind::Columns);
  EXPECT_TRUE(remarks.back().store);
}

// Whether the plan of this code has one.
bool looksIt(const std::string &body) {
  Ir ir(threadCode(body + "  ret void\n"));
  return hasAccessDownColumns(ir.function("f"), PlannedCode(ir.function("f"), two_rows, {}));
}

TEST(WidenColumns, AreLookedFor) {
  EXPECT_TRUE(looksIt(element + store));
  EXPECT_FALSE(looksIt(element + "  store volatile i32 %u, ptr %a, align 4\n"));
  EXPECT_FALSE(looksIt("  store float 0.0, ptr %e, align 4\n"));
  // Or by a number that is known, unless columns are so close that vectors cover some of them.
  const auto pitch = [](const char *elements) {
    std::string known = element;
    known.replace(known.find("%x, %n"), 6, std::string("%x, ") + elements);
    return looksIt(known + store);
  };
  EXPECT_TRUE(pitch("33"));
  EXPECT_FALSE(pitch("8"));
  EXPECT_FALSE(looksIt(element + "  %b = getelementptr i32, ptr %p, i32 %u\n"
                                 "  store i32 1, ptr %b, align 4\n"));
}

// To blocks of a row, the row's number is the same for the gang.
TEST(WidenColumns, AreFoundInCodeForOtherBlocks) {
  const auto has = [](const std::string &body) {
    Ir ir(threadCode(body + "  ret void\n"));
    return wantsRows(ir.function("f"), {.may_wait = true}, {}); // not for other reasons
  };
  EXPECT_TRUE(has(element + store));
  EXPECT_TRUE(has(element + load));
  EXPECT_FALSE(has("  store float 0.0, ptr %e, align 4\n"));
}

} // namespace
