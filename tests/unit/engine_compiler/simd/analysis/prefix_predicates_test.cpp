// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions of a block's first threads (prefix_predicates.h).
#include "engine/compiler/simd/analysis/prefix_predicates.h"

#include "simd/passes.h"

#include "llvm/IR/InstIterator.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

// Whether %c is one, where %x = threadIdx.x and %n is a parameter of the launch.
bool isLeading(const std::string &body) {
  Ir ir(declarations +
        "declare i1 @unknown()\n"
        "define void @f(ptr %gang, ptr %parameters) {\nentry:\n"
        "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %n = load i32, ptr %parameters, !invariant.load !0\n" +
        body + "  ret void\n}\n!0 = !{}\n");
  for (llvm::Instruction &instruction : llvm::instructions(ir.function("f")))
    if (instruction.getName() == "c")
      return holdsForLeadingThreads(instruction);
  ADD_FAILURE() << "no %c";
  return false;
}

TEST(PrefixPredicates, ThreadsBelowABound) {
  EXPECT_TRUE(isLeading("  %c = icmp ult i32 %x, 32\n"));
  EXPECT_TRUE(isLeading("  %c = icmp slt i32 %x, %n\n"));
  EXPECT_TRUE(isLeading("  %c = icmp sle i32 %x, %n\n"));
  EXPECT_TRUE(isLeading("  %c = icmp sgt i32 %n, %x\n"));
  EXPECT_TRUE(isLeading("  %c = icmp eq i32 %x, 0\n"));
}

TEST(PrefixPredicates, SumsThatDoNotWrap) {
  const std::string index = "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                            "  %s = mul i32 %b, 256\n";
  EXPECT_TRUE(isLeading(index + "  %i = add nsw i32 %x, %s\n  %c = icmp slt i32 %i, %n\n"));
  EXPECT_FALSE(isLeading(index + "  %i = add nuw i32 %x, %s\n  %c = icmp slt i32 %i, %n\n"));
  EXPECT_TRUE(isLeading("  %i = mul nuw i32 %x, 3\n  %c = icmp ult i32 %i, %n\n"));
  EXPECT_FALSE(isLeading("  %i = mul i32 %x, 3\n  %c = icmp ult i32 %i, %n\n"));
  EXPECT_FALSE(isLeading("  %i = mul nsw i32 %x, -3\n  %c = icmp slt i32 %i, %n\n"));
  EXPECT_FALSE(isLeading("  %i = sub nsw i32 %n, %x\n  %c = icmp slt i32 %i, 5\n"));
}

TEST(PrefixPredicates, NotLaterOnes) {
  EXPECT_FALSE(isLeading("  %c = icmp ugt i32 %x, 32\n"));
  EXPECT_FALSE(isLeading("  %c = icmp uge i32 %x, %n\n"));
  EXPECT_FALSE(isLeading("  %c = icmp eq i32 %x, 7\n"));
  EXPECT_FALSE(isLeading("  %c = icmp ne i32 %x, 0\n"));
}

// A bound from memory may be another one when the next gang asks.
TEST(PrefixPredicates, NotIfTheBoundMayChange) {
  EXPECT_FALSE(isLeading("  %v = load i32, ptr %parameters\n  %c = icmp slt i32 %x, %v\n"));
  EXPECT_FALSE(isLeading("  %v = load i32, ptr %gang, !invariant.load !0\n"
                         "  %c = icmp slt i32 %x, %v\n"));
  EXPECT_FALSE(isLeading("  %c = call i1 @unknown()\n"));
}

TEST(PrefixPredicates, OnlyBelowANumber) {
  const auto below = [](const std::string &condition, unsigned lanes) {
    Ir ir(declarations +
          "define void @f(i32 %n) {\nentry:\n"
          "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %c = icmp " +
          condition + "\n  ret void\n}\n");
    return holdsOnlyBelow(*std::next(ir.function("f").getEntryBlock().begin()), lanes);
  };
  EXPECT_TRUE(below("ult i32 %x, 32", 32));
  EXPECT_TRUE(below("slt i32 %x, 7", 32));
  EXPECT_FALSE(below("ult i32 %x, 33", 32));
  EXPECT_FALSE(below("slt i32 %x, -1", 32));
  EXPECT_FALSE(below("ugt i32 %x, 7", 32));
  EXPECT_FALSE(below("ult i32 %x, %n", 32));
  EXPECT_FALSE(below("ult i32 %n, 7", 32));
}

TEST(PrefixPredicates, BothOfTwo) {
  const std::string first = "  %a = icmp ult i32 %x, 32\n  %b = icmp slt i32 %x, %n\n";
  EXPECT_TRUE(isLeading(first + "  %c = and i1 %a, %b\n"));
  EXPECT_TRUE(isLeading(first + "  %c = select i1 %a, i1 %b, i1 false\n"));
  EXPECT_FALSE(isLeading(first + "  %d = icmp eq i32 %x, 7\n  %c = and i1 %a, %d\n"));
  EXPECT_FALSE(isLeading(first + "  %c = xor i1 %a, %b\n"));
}

} // namespace
