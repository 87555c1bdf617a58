// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses that lie a constant apart have one in common (constant_offsets.h). Gangs here are two
// rows of four lanes, unless a test says otherwise.
#include "engine/compiler/simd/normalize/constant_offsets.h"

#include "simd/passes.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

const LaneLayout rows = {8, LaneLayout::Kind::Tiled, 4, 4, true};

// A function with memory %p, a number %n, and %x and %y = threadIdx.
std::string separated(const std::string &body, const LaneLayout &layout = rows) {
  Ir ir(declarations +
        "define void @f(ptr %p, i32 %n) {\n"
        "  %x = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %y = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n" +
        body + "  ret void\n}\n");
  separateConstantOffsets(ir.function("f"), layout);
  ir.verify();
  return ir.text("f");
}

// &tile[y + down][x + right] of rows of 20, and a store to it; %N is its number in the body.
std::string place(const std::string &number, int down, int right) {
  return "  %y" + number + " = add nuw nsw i32 %y, " + std::to_string(down) + "\n  %yw" + number +
         " = zext nneg i32 %y" + number + " to i64\n  %x" + number + " = add nuw nsw i32 %x, " +
         std::to_string(right) + "\n  %xw" + number + " = zext nneg i32 %x" + number +
         " to i64\n  %a" + number + " = getelementptr inbounds [20 x float], ptr %p, i64 %yw" +
         number + ", i64 %xw" + number + "\n  store float 0.0, ptr %a" + number + "\n";
}

TEST(ConstantOffsets, OfAStencilHaveOneAddressInCommon) {
  const std::string text = separated(place("1", 1, 2) + place("2", 2, 2) + place("3", 4, 1));
  EXPECT_EQ(count(text, "getelementptr [20 x float]"), 1u);
  EXPECT_EQ(count(text, "getelementptr i8"), 3u);
  expectInOrder(text,
                {"= zext nneg i32 %y to i64", "%3 = getelementptr [20 x float], ptr %p, i64 %",
                 "ptr %3, i64 88", "ptr %3, i64 168", "ptr %3, i64 324"});
}

// An element of the array may not exist where all indices are smaller.
TEST(ConstantOffsets, LeaveAnAddressThatMayBeAnywhere) {
  expectNone(separated(place("1", 1, 2)), {"getelementptr inbounds"});
}

// Of sums in sums, signed numbers, and numbers that have no bits in common.
TEST(ConstantOffsets, AreTakenFromSums) {
  const std::string text =
      separated("  %s = add nsw i32 %x, %n\n  %t = add nsw i32 %s, -3\n"
                "  %tw = sext i32 %t to i64\n  %o = or disjoint i32 %y, 16\n"
                "  %ow = zext nneg i32 %o to i64\n  %m = mul i64 %ow, 100\n"
                "  %i = add i64 %ow, 5\n  %a = getelementptr float, ptr %p, i64 %i\n"
                "  store float 0.0, ptr %a\n  %b = getelementptr i8, ptr %p, i64 %m\n"
                "  store i8 0, ptr %b\n");
  expectInOrder(text, {"= zext nneg i32 %y to i64", "= getelementptr float, ptr %p, i64 %",
                       "getelementptr i8, ptr %", ", i64 84"});
  expectInOrder(text, {"%b = getelementptr i8, ptr %p, i64 %m"}); // a product is left alone
}

// A negative number is added as one.
TEST(ConstantOffsets, MayBeNegative) {
  const std::string text = separated("  %xw = zext i32 %x to i64\n  %i = add i64 %xw, -3\n"
                                     "  %a = getelementptr float, ptr %p, i64 %i\n"
                                     "  store float 0.0, ptr %a\n");
  expectInOrder(text, {"%1 = zext nneg i32 %x to i64", "%2 = getelementptr float, ptr %p, i64 %1",
                       "getelementptr i8, ptr %2, i64 -12"});
}

// What the program does not promise to stay in 32 bits may come round to small numbers.
TEST(ConstantOffsets, NotOfSumsThatMayWrap) {
  for (const char *sum : {"add i32 %x, 3", "add nsw i32 %x, 3", "or i32 %x, 3"}) {
    const std::string text =
        separated(std::string("  %t = ") + sum +
                  "\n  %tw = zext i32 %t to i64\n  %a = getelementptr float, ptr %p, i64 %tw\n"
                  "  store float 0.0, ptr %a\n");
    expectInOrder(text, {"%a = getelementptr float, ptr %p, i64 %tw"});
  }
  // Lanes that are not here may wrap, and take those with them that follow from them.
  expectInOrder(separated("  %s = add i32 %x, %n\n  %t = add nsw i32 %s, 3\n"
                          "  %tw = sext i32 %t to i64\n  %a = getelementptr float, ptr %p, "
                          "i64 %tw\n  store float 0.0, ptr %a\n"),
                {"%a = getelementptr float, ptr %p, i64 %tw"});
}

// What all lanes share is LLVM's to simplify; what has no order is for a gather.
TEST(ConstantOffsets, OnlyOfNeighbours) {
  const std::string text =
      separated("  %t = add nsw i32 %n, 3\n  %tw = sext i32 %t to i64\n"
                "  %a = getelementptr float, ptr %p, i64 %tw\n  store float 0.0, ptr %a\n"
                "  %s = mul nsw i32 %x, %x\n  %u = add nsw i32 %s, 3\n  %uw = sext i32 %u to i64\n"
                "  %b = getelementptr float, ptr %p, i64 %uw\n  store float 0.0, ptr %b\n");
  expectInOrder(text, {"%a = getelementptr float, ptr %p, i64 %tw",
                       "%b = getelementptr float, ptr %p, i64 %uw"});
}

} // namespace
