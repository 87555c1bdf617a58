// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions are copied for gangs for which facts hold (region_versioning.h).
#include "engine/compiler/simd/versioning/region_versioning.h"

#include "simd/passes.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;
using llvm::BasicBlock;
using llvm::Function;
using llvm::Instruction;
using llvm::StringRef;

namespace {

BasicBlock &blockOf(Function &function, StringRef name) {
  for (BasicBlock &block : function)
    if (block.getName() == name)
      return block;
  throw std::out_of_range(name.str());
}

Instruction &instructionOf(Function &function, StringRef name) {
  for (Instruction &instruction : llvm::instructions(function))
    if (instruction.getName() == name)
      return instruction;
  throw std::out_of_range(name.str());
}

// Two guarded calls, then a use of what is computed between them.
const std::string two_guards = ofThread(R"(
  %all = icmp sgt i32 %n, 8
  %c = icmp slt i32 %x, %n
  br label %first
first:
  br i1 %c, label %a, label %second
a:
  call void @A()
  br label %second
second:
  %sum = add i32 %x, %n
  br i1 %c, label %b, label %end
b:
  call void @B()
  br label %end
end:
  call void @out(i32 %sum)
  ret void
)");

// The copy is straight-line code, in which the condition is known; the original stays, and what
// both compute is merged where it is used.
TEST(RegionVersioning, FactsFoldBranchesOfTheCopyAndResultsMerge) {
  Ir ir(two_guards);
  Function &f = ir.function("f");
  RegionCopy copy(
      {&blockOf(f, "first"), &blockOf(f, "a"), &blockOf(f, "second"), &blockOf(f, "b")});
  copy.assume(instructionOf(f, "c"), llvm::ConstantInt::getTrue(f.getContext()));
  copy.enterIf(&instructionOf(f, "all"), f.getEntryBlock());
  ir.verify();
  const std::string text = ir.text("f");
  EXPECT_EQ(count(text, "br i1 %all, label %first.version, label %first\n"), 1u) << text;
  EXPECT_EQ(count(text, "br i1 %c,"), 2u) << text;
  EXPECT_EQ(count(text, "call void @A()"), 2u) << text;
  EXPECT_EQ(count(text, "call void @B()"), 2u) << text;
  EXPECT_EQ(count(text, "= phi i32 "), 1u) << text;
  expectInOrder(blockText(text, "first.version"),
                {"call void @A()", "%sum.version", "call void @B()", "br label %end"});
}

// What a fact makes unreachable is removed from the copy.
TEST(RegionVersioning, TheOtherSideIsRemoved) {
  Ir ir(two_guards);
  Function &f = ir.function("f");
  RegionCopy copy(
      {&blockOf(f, "first"), &blockOf(f, "a"), &blockOf(f, "second"), &blockOf(f, "b")});
  copy.assume(instructionOf(f, "c"), llvm::ConstantInt::getFalse(f.getContext()));
  copy.enterIf(&instructionOf(f, "all"), f.getEntryBlock());
  ir.verify();
  EXPECT_EQ(count(ir.text("f"), "call void @A()"), 1u);
  EXPECT_EQ(count(ir.text("f"), "call void @B()"), 1u);
}

// A value of the region is replaced in the copy only.
TEST(RegionVersioning, ValuesOfTheRegionAreReplaced) {
  Ir ir(two_guards);
  Function &f = ir.function("f");
  RegionCopy copy({&blockOf(f, "second"), &blockOf(f, "b"), &blockOf(f, "end")});
  copy.assume(instructionOf(f, "sum"), f.getArg(0));
  const std::string text = ir.text("f");
  EXPECT_EQ(count(text, "call void @out(i32 %n)"), 1u) << text;
  EXPECT_EQ(count(text, "call void @out(i32 %sum)"), 1u) << text;
}

// What cannot be hoisted as a whole leaves nothing behind, and what was agreed to comes in order.
TEST(RegionVersioning, HoistsAllOrNothing) {
  Ir ir(ofThread(R"(
  br label %later
later:
  %a = add i32 %x, 1
  %b = mul i32 %a, %n
  %v = load i32, ptr %p
  %w = xor i32 %a, 5
  %d = add i32 %w, %v
  ret void
)"));
  Function &f = ir.function("f");
  const llvm::DominatorTree dominators(f);
  Hoister hoister(*f.getEntryBlock().getTerminator(), dominators, 8);
  EXPECT_FALSE(hoister.canHoist(&instructionOf(f, "d"), 8)); // memory may have changed
  EXPECT_FALSE(hoister.canHoist(&instructionOf(f, "b"), 1)); // two steps
  EXPECT_TRUE(hoister.canHoist(&instructionOf(f, "b"), 2));
  EXPECT_TRUE(hoister.canHoist(&instructionOf(f, "x"), 0)); // it is there
  hoister.hoist();
  ir.verify();
  expectInOrder(blockText(ir.text("f"), "entry"), {"%x = ", "%a = ", "%b = ", "br label"});
  EXPECT_EQ(count(blockText(ir.text("f"), "entry"), "%w = "), 0u);
}

TEST(RegionVersioning, TheBudgetEnds) {
  Ir ir(two_guards);
  Function &f = ir.function("f");
  unsigned calls = 0;
  versionRegions(f, row(4), {.largest = 100, .copies = 3},
                 [&](const ShapedCode &) { return ++calls > 0; });
  EXPECT_EQ(calls, 3u);
  const CodeBudget budget{.largest = 3, .copies = 1};
  EXPECT_TRUE(budget.allows({&blockOf(f, "second")}));
  EXPECT_FALSE(budget.allows({&blockOf(f, "second"), &blockOf(f, "b")}));
}

} // namespace
