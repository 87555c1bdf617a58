// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops as long as a block's size says, in code for blocks of one size (block_size.h).
#include "engine/compiler/simd/normalize/block_size.h"

#include "engine/compiler/simd/normalize/canonicalize.h"
#include "simd/gang.h"
#include "simd/passes.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

// for (i = first; condition of %i; i = next) { if (threadIdx.x < i) A; barrier }
std::string loop(const std::string &first, const std::string &next, const std::string &condition,
                 const std::string &before = "") {
  return declarations + R"(
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
define void @f(i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %half = lshr i32 %size, 1
)" + before +
         "  br label %head\nhead:\n  %i = phi i32 [ " + first +
         ", %entry ], [ %next, %latch ]\n  " + condition + R"(
  br i1 %goes, label %body, label %end
body:
  %has = icmp ult i32 %x, %i
  br i1 %has, label %work, label %latch
work:
  call void @A()
  br label %latch
latch:
  call void @llvm.nvvm.barrier0()
  )" + next +
         R"(
  br label %head
end:
  ret void
}
)";
}

const std::string positive = "%goes = icmp ne i32 %i, 0", below = "%goes = icmp ult i32 %i, %size";
const std::string halved = "%next = lshr i32 %i, 1", doubled = "%next = shl i32 %i, 1";

bool isOfSize(const std::string &text) {
  Ir ir(text);
  canonicalize(ir.function("f"));
  return gainsFromBlockSize(ir.function("f"));
}

std::string sized(const std::string &text, unsigned threads) {
  Ir ir(text);
  canonicalize(ir.function("f"));
  setBlockSize(ir.function("f"), threads);
  ir.verify();
  return ir.text("f");
}

TEST(BlockSize, LoopsThatBeginOrEndAtIt) {
  EXPECT_TRUE(isOfSize(loop("%half", halved, positive)));
  EXPECT_TRUE(isOfSize(loop("1", doubled, below)));
  EXPECT_TRUE(isOfSize(loop("0", "%next = add i32 %i, 1", below)));
}

// What also depends on the data, the thread or the grid has no length of its own.
TEST(BlockSize, OtherLoopsGainNothing) {
  EXPECT_FALSE(isOfSize(loop("64", halved, positive)));
  EXPECT_FALSE(isOfSize(loop("%n", halved, positive)));
  EXPECT_FALSE(isOfSize(loop("%x", "%next = add i32 %i, %size", "%goes = icmp ult i32 %i, %n")));
  EXPECT_FALSE(isOfSize(loop("%first", halved, positive, "  %first = add i32 %half, %n\n")));
  EXPECT_FALSE(isOfSize(loop("0", "%next = add i32 %i, %all", "%goes = icmp ult i32 %i, %n",
                             "  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()\n"
                             "  %all = mul i32 %blocks, %size\n")));
  EXPECT_FALSE(isOfSize(loop("%half", "%next = lshr i32 %i, %n", "%goes = icmp ne i32 %i, %n")));
}

// Which of the block's warps go on behind a barrier; without one, nothing is known of lanes.
TEST(BlockSize, ComparisonsWithItBesideBarriers) {
  const auto text = [](const std::string &side, const std::string &barrier) {
    return declarations +
           "define void @f(i32 %n) {\n"
           "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
           "  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
           "  %warps = lshr i32 %size, 5\n  %more = add i32 %size, %n\n" +
           barrier + "  %has = icmp ult i32 %x, " + side +
           "\n  br i1 %has, label %work, label %end\n"
           "work:\n  call void @A()\n  br label %end\nend:\n  ret void\n}\n";
  };
  const std::string barrier = "  call void @llvm.nvvm.barrier0()\n";
  EXPECT_TRUE(isOfSize(text("%warps", barrier)));
  EXPECT_FALSE(isOfSize(text("%more", barrier)));
  EXPECT_FALSE(isOfSize(text("32", barrier)));
  EXPECT_FALSE(isOfSize(text("%warps", "")));
}

// A tree of 64 threads has six steps, of 32, 16, … threads; a loop of 64 rounds stays one.
TEST(BlockSize, IsAConstantThen) {
  const std::string tree = sized(loop("%half", halved, positive), 64);
  EXPECT_EQ(count(tree, "phi"), 0u) << tree;
  EXPECT_EQ(count(tree, "@llvm.nvvm.barrier0"), 6u) << tree;
  for (const unsigned threads : {32, 16, 8, 4, 2})
    EXPECT_EQ(count(tree, "icmp ult i32 %x, " + std::to_string(threads) + "\n"), 1u) << tree;
  EXPECT_EQ(count(tree, ".ntid."), 0u) << tree;
  const std::string rounds = sized(loop("0", "%next = add i32 %i, 1", below), 64);
  EXPECT_EQ(count(rounds, "@llvm.nvvm.barrier0"), 1u) << rounds;
  EXPECT_EQ(count(rounds, ".ntid."), 0u) << rounds;
}

// Threads do what they did. B stands for the barrier.
TEST(BlockSize, TheTreeIsTheSame) {
  std::string text = loop("%half", halved, positive);
  const std::string barrier = "call void @llvm.nvvm.barrier0()";
  text.replace(text.find(barrier), barrier.size(), "call void @B()");
  Ir ir(text);
  canonicalize(ir.function("f"));
  setBlockSize(ir.function("f"), 8);
  for (const auto &[thread, expected] :
       {std::pair(0u, "A B A B A B"), {1u, "A B A B B"}, {3u, "A B B B"}, {4u, "B B B"}}) {
    Gang gang(1, thread);
    gang.run(ir.function("f"), {0});
    EXPECT_EQ(gang.lane(0), expected) << thread;
  }
}

// There is only one row.
TEST(BlockSize, OtherExtentsAreOne) {
  const std::string text = sized(declarations + R"(
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
define void @f(i32 %n) {
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %rows = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  call void @out(i32 %y)
  call void @out(i32 %rows)
  ret void
}
)",
                                 64);
  EXPECT_EQ(count(text, "@out(i32 0)"), 1u) << text;
  EXPECT_EQ(count(text, "@out(i32 1)"), 1u) << text;
}

} // namespace
