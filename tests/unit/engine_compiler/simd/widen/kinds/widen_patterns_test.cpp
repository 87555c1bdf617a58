// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads of neighbours in another order than that of the lanes (permuted_access.h,
// widen_patterns.cpp).
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

/// A load of what lies at %p[%i], which `index` computes.
std::string loadAt(const std::string &index, const std::string &type = "float",
                   const WidenOptions &options = {.layout = row(8)}) {
  return widened(index + "  %w = sext i32 %i to i64\n  %a = getelementptr " + type +
                     ", ptr %p, i64 %w\n  %v = load " + type +
                     ", ptr %a, align 1\n  store volatile " + type + " %v, ptr %e, align 1\n",
                 options);
}

std::string order(const std::string &lanes) { return "<8 x i32> <" + lanes + ">"; }

TEST(PermutedAccess, EachElementTwice) {
  expectInOrder(loadAt("  %i = lshr i32 %x, 1\n"),
                {"sub <8 x i32>", "icmp ne <8 x i32>", "icmp sle i32", "br i1 %",
                 "load <4 x float>", "shufflevector <4 x float>",
                 order("i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3")});
  expectInOrder(loadAt("  %i = sdiv i32 %x, 2\n", "i8"),
                {"load <4 x i8>", "shufflevector <4 x i8>"});
}

TEST(PermutedAccess, NeighboursExchanged) {
  expectInOrder(
      loadAt("  %i = xor i32 %x, 1\n"),
      {"load <8 x float>", order("i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6")});
}

// Of those four that the pattern spans, lanes want two: the ends, so that the rest may be read.
TEST(PermutedAccess, FirstOfFour) {
  expectInOrder(loadAt("  %i = and i32 %x, -4\n"), {"load <5 x float>", "i32 0, i32 4, i32 4"});
}

// What lanes have in common does not matter: it is asked whether the places are as expected.
TEST(PermutedAccess, SomewhereInAnArray) {
  expectInOrder(loadAt("  %h = lshr i32 %x, 1\n  %i = add i32 %h, %n\n"),
                {"load <4 x float>", "shufflevector", "br label"});
}

TEST(PermutedAccess, OthersAreGathered) {
  expectNone(loadAt("  %i = mul i32 %x, %x\n"), {"shufflevector <8 x float>"}); // far apart
  expectNone(loadAt("  %i = lshr i32 %u, 1\n"), {"shufflevector <4 x float>"});
}

// Rows of four threads in gangs of eight: each row has its own place.
TEST(PermutedAccess, InRows) {
  const LaneLayout rows{.lanes = 8, .kind = LaneLayout::Kind::Tiled, .row = 4};
  const std::string text =
      loadAt("  %h = lshr i32 %x, 1\n  %i = add i32 %h, %n\n", "float", {.layout = rows});
  EXPECT_EQ(count(text, "load <2 x float>"), 2u) << text;
}

// A row of which no lane is here may be anywhere, and would be loaded with the others.
TEST(PermutedAccess, NotInRowsUnderMasks) {
  const LaneLayout rows{.lanes = 8, .kind = LaneLayout::Kind::Tiled, .row = 4};
  const std::string index = masked + "  %i = lshr i32 %x, 1\n";
  expectInOrder(loadAt(index), {"and i64", "icmp ule i64", "load <4 x float>"}); // within a page
  expectNone(loadAt(index, "float", {.layout = rows}), {"load <2 x float>"});
}

} // namespace
