// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every second to eighth element (widen.h, widen_strided.cpp): vectors that cover them, of which
// each lane takes its element. Gangs here are eight lanes.
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

std::string every(unsigned step, const std::string &access, const std::string &mask = "",
                  const std::string &type = "float") {
  return widened("  %i = mul i64 %wide, " + std::to_string(step) + "\n  %a = getelementptr " +
                 type + ", ptr %p, i64 %i\n" + mask + access);
}

const std::string load = "  %v = load float, ptr %a, align 4\n  store volatile float %v, ptr %e\n";
const std::string store = "  store i32 %u, ptr %a, align 4\n";

// The third vector begins at 14, to end with the last lane's element, 21.
TEST(WidenStrided, LanesTakeTheirElements) {
  const std::string text = every(3, load);
  EXPECT_EQ(count(text, "load <8 x float>"), 3u);
  expectInOrder(text, {"load <8 x float>", "i64 8", "load <8 x float>", "i64 14",
                       "load <8 x float>", "shufflevector <24 x float>",
                       "<8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 20, i32 23>"});
  expectNone(text, {"masked"});
}

// If it is known where in its line the first element lies, the vectors are whole lines; what is
// behind the last element is in the same line.
TEST(WidenStrided, WholeLines) {
  const auto lines = [](unsigned step, unsigned place, const std::string &access) {
    return widened("  %base.place = getelementptr i8, ptr %parameters, i64 24\n"
                   "  %base = load ptr, ptr %base.place, !invariant.load !0, !align !64\n"
                   "  %j = mul i64 %wide, " +
                       std::to_string(step) + "\n  %i = add i64 %j, " + std::to_string(place) +
                       "\n  %a = getelementptr float, ptr %base, i64 %i\n" + access,
                   {.layout = row(16)}, "!64 = !{i64 64}\n");
  };
  const std::string text = lines(2, 1, load);
  EXPECT_EQ(count(text, "load <16 x float>"), 2u);
  expectInOrder(text, {"i64 -1", "load <16 x float>", "i64 15", "load <16 x float>",
                       "<16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15,"});
  const std::string stored = lines(4, 3, store);
  expectInOrder(stored, {"i64 -3", "@llvm.masked.store.v16i32",
                         "<16 x i1> <i1 false, i1 false, i1 false, i1 true,", "i64 13",
                         "@llvm.masked.store.v16i32", "i64 29", "i64 45"});
  expectInOrder(lines(2, 3, load), {"i64 15"}); // begins in the lanes' second pair
  expectNone(lines(2, 3, load), {"i64 -1,", "i64 -3,"});
  expectInOrder(lines(3, 1, load), {"i64 -1", "i64 15", "i64 31"});
}

// The first member of a float4 is aligned to 16 bytes in each lane; the vectors begin elsewhere,
// too.
TEST(WidenStrided, PartsAreAlignedLikeElements) {
  const std::string text =
      every(4, "  %v = load float, ptr %a, align 16\n  store volatile float %v, ptr %e\n");
  EXPECT_EQ(count(text, "load <8 x float>"), 4u);
  EXPECT_EQ(count(text, ", align 4"), 5u); // with the store behind them
  const std::string stored = every(4, "  store i32 %u, ptr %a, align 16\n");
  EXPECT_EQ(count(stored, "@llvm.masked.store.v8i32.p0(<8 x i32>"), 4u);
  EXPECT_EQ(count(stored, "i32 4, <8 x i1>"), 4u);
}

TEST(WidenStrided, UpToTheEighthElement) {
  EXPECT_EQ(count(every(8, load), "load <8 x float>"), 8u);
  expectInOrder(every(8, load), {"i64 49", "<8 x i32> <i32 0, i32 8, i32 16, i32 24, i32 32, "
                                           "i32 40, i32 48, i32 63>"});
  EXPECT_EQ(count(every(9, load), "load <8 x float>"), 0u);
  EXPECT_EQ(count(every(9, load), "load float"), 8u);
}

// Each vector has the mask of the lanes whose elements lie in it.
TEST(WidenStrided, UnderAMask) {
  const std::string text = every(2, load, masked);
  EXPECT_EQ(count(text, "@llvm.masked.load.v8f32"), 2u);
  expectInOrder(text, {"sext <8 x i1> %c to <8 x i8>",
                       "<i32 0, i32 8, i32 1, i32 8, i32 2, i32 8, i32 3, i32 8>",
                       "icmp slt <8 x i8>", "@llvm.masked.load", "i64 7",
                       "<i32 8, i32 4, i32 8, i32 5, i32 8, i32 6, i32 8, i32 7>",
                       "icmp slt <8 x i8>", "@llvm.masked.load",
                       "<8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 9, i32 11, i32 13, i32 15>"});
}

// What lies between is not touched.
TEST(WidenStrided, StoresOnlyItsElements) {
  const std::string text = every(2, store);
  EXPECT_EQ(count(text, "@llvm.masked.store.v8i32"), 2u);
  expectInOrder(text,
                {"shufflevector <8 x i32> %u", "i32 0, i32 poison, i32 1, i32 poison, i32 2",
                 "@llvm.masked.store.v8i32",
                 "<8 x i1> <i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, "
                 "i1 false>",
                 "shufflevector <8 x i32> %u", "i32 poison, i32 4, i32 poison, i32 5",
                 "@llvm.masked.store.v8i32", "<8 x i1> <i1 false, i1 true, i1 false,"});
  expectNone(text, {"store i32"});
}

TEST(WidenStrided, StoresUnderAMask) {
  const std::string text = every(2, store, masked);
  EXPECT_EQ(count(text, "@llvm.masked.store.v8i32"), 2u);
  expectInOrder(text, {"sext <8 x i1> %c", "<i32 0, i32 8, i32 1, i32 8,", "@llvm.masked.store",
                       "<i32 8, i32 4, i32 8, i32 5,", "@llvm.masked.store"});
}

// Volatile and atomic accesses are one of each lane; a CPU without masks for bytes has no others.
TEST(WidenStrided, NotWhereElementsBetweenMatter) {
  const std::string text = every(2, "  store volatile i32 %u, ptr %a, align 4\n");
  expectNone(text, {"masked"});
  EXPECT_EQ(count(text, "store volatile i32"), 8u);
  const std::string bytes =
      every(2, "  %t = trunc i32 %u to i8\n  store i8 %t, ptr %a, align 1\n", "", "i8");
  expectNone(bytes, {"masked"});
  EXPECT_EQ(count(bytes, "store i8"), 8u);
  // Loads of all lanes need no masks.
  EXPECT_EQ(
      count(every(2, "  %v = load i8, ptr %a, align 1\n  store volatile i8 %v, ptr %e\n", "", "i8"),
            "load <8 x i8>"),
      2u);
}

TEST(WidenStrided, HasARemark) {
  std::vector<Remark> remarks;
  widened("  %i = mul i64 %wide, 3\n  %a = getelementptr float, ptr %p, i64 %i\n" + load, {row(8)},
          "", &remarks);
  ASSERT_GE(remarks.size(), 2u);
  const Remark &last = remarks[remarks.size() - 2];
  EXPECT_EQ(last.kind, Remark::Kind::EveryFew);
  EXPECT_FALSE(last.store);
}

} // namespace
