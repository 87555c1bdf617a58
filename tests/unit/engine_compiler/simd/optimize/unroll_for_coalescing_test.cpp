// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in which each thread goes along a row of its own (unroll_for_coalescing.h).
#include "engine/compiler/simd/optimize/unroll_for_coalescing.h"

#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "simd/passes.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

// for (i = 0; i < rounds; ++i) sum += *%a, where %a is computed by `address` from %row, which is
// threadIdx.x * n, and from %i.
std::string walk(const std::string &address, const std::string &type = "float",
                 const std::string &rounds = "%n64", unsigned lanes = 32) {
  const std::string add = type == "i32" ? "add i32" : "fadd " + type;
  const std::string zero = type == "i32" ? "0" : "0.0";
  Ir ir(declarations +
        "define void @f(ptr %p, ptr %q, i32 %n) {\nentry:\n"
        "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %wide = zext i32 %x to i64\n  %n64 = zext i32 %n to i64\n"
        "  %row = mul nsw i64 %wide, %n64\n  %own = getelementptr i64, ptr %q, i64 "
        "%wide\n  %mine = load i64, ptr %own\n"
        "  br label %loop\nloop:\n"
        "  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]\n"
        "  %s = phi " +
        type + " [ " + zero + ", %entry ], [ %s1, %loop ]\n" + address + "  %v = load " + type +
        ", ptr %a\n  %s1 = " + add + " %s, %v\n" +
        "  %i1 = add nuw nsw i64 %i, 1\n  %again = icmp ult i64 %i1, " + rounds +
        "\n  br i1 %again, label %loop, label %done\ndone:\n  store " + type +
        " %s1, ptr %own\n  ret void\n}\n");
  canonicalizeLoops(ir.function("f"));
  unrollForCoalescing(ir.function("f"), row(lanes));
  ir.verify();
  return ir.text("f");
}

std::string along(const std::string &type, const std::string &step = "%i") {
  return "  %k = add nsw i64 %row, " + step + "\n  %a = getelementptr " + type +
         ", ptr %p, i64 %k\n";
}

size_t loads(const std::string &text, const std::string &type = "float") {
  return count(text, "= load " + type + ", ptr %a");
}

// A line of rounds at a time, and a loop for the rest.
TEST(UnrollForCoalescing, TakeALineOfRoundsAtATime) {
  EXPECT_EQ(loads(walk(along("float"))), 16u + 1);
  EXPECT_EQ(loads(walk(along("i32"), "i32"), "i32"), 16u + 1);
  EXPECT_EQ(loads(walk(along("double"), "double"), "double"), 8u + 1);
}

// Indices of 32 bits, which the program promises not to wrap.
TEST(UnrollForCoalescing, WithIndicesOfAWord) {
  const auto walked = [](const std::string &flags) {
    Ir ir(declarations +
          "define void @f(ptr %p, ptr %q, i32 %n) {\nentry:\n"
          "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
          "  %row = mul nsw i32 %x, %n\n  br label %loop\nloop:\n"
          "  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]\n"
          "  %s = phi float [ 0.0, %entry ], [ %s1, %loop ]\n  %k = add " +
          flags +
          "i32 %row, %i\n  %kw = sext i32 %k to i64\n"
          "  %a = getelementptr float, ptr %p, i64 %kw\n  %v = load float, ptr %a\n"
          "  %s1 = fadd float %s, %v\n  %i1 = add nuw nsw i32 %i, 1\n"
          "  %again = icmp slt i32 %i1, %n\n  br i1 %again, label %loop, label %done\ndone:\n"
          "  store float %s1, ptr %q\n  ret void\n}\n");
    canonicalizeLoops(ir.function("f"));
    unrollForCoalescing(ir.function("f"), row(32));
    ir.verify();
    return loads(ir.text("f"));
  };
  EXPECT_EQ(walked("nsw "), 16u + 1);
  EXPECT_EQ(walked(""), 1u);
}

// A line is more than the gang has lanes; threads run one by one.
TEST(UnrollForCoalescing, NotWithFewLanes) {
  EXPECT_EQ(loads(walk(along("float"), "float", "%n64", 8)), 1u);
  EXPECT_EQ(loads(walk(along("double"), "double", "%n64", 8), "double"), 8u + 1);
  EXPECT_EQ(loads(walk(along("float"), "float", "%n64", 1)), 1u);
}

// Lanes that are neighbours, or look at one place; rounds that are far apart.
TEST(UnrollForCoalescing, OthersStayAsTheyAre) {
  EXPECT_EQ(
      loads(walk("  %k = add nsw i64 %wide, %i\n  %a = getelementptr float, ptr %p, i64 %k\n")),
      1u);
  EXPECT_EQ(loads(walk("  %a = getelementptr float, ptr %p, i64 %i\n")), 1u);
  EXPECT_EQ(loads(walk("  %j = mul nsw i64 %i, %n64\n" + along("float", "%j"))), 1u);
  EXPECT_EQ(loads(walk("  %j = shl nsw i64 %i, 1\n" + along("float", "%j"))), 1u);
}

// Lanes that leave the loop at different times wait for each other.
TEST(UnrollForCoalescing, NotIfLanesLeaveByThemselves) {
  EXPECT_EQ(loads(walk(along("float"), "float", "%mine")), 1u);
}

// LLVM has unrolled it, or will.
TEST(UnrollForCoalescing, NotIfTheNumberOfRoundsIsKnown) {
  EXPECT_EQ(loads(walk(along("float"), "float", "64")), 1u);
}

} // namespace
