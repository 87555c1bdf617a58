// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the class of blocks says about threadIdx (block_shape.h).
#include "engine/compiler/simd/normalize/block_shape.h"

#include "engine/compiler/simd/normalize/canonicalize.h"
#include "simd/passes.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

const std::string indices = "  %x = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                            "  %y = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
                            "  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()\n"
                            "  call void @out(i32 %x)\n  call void @out(i32 %y)\n"
                            "  call void @out(i32 %z)\n";

std::string known(const std::string &variant, const std::string &body = indices,
                  unsigned most_threads = 0) {
  Ir ir(declarations + "define void @f() {\n" + body + "  ret void\n}\n");
  useBlockShape(ir.function("f"), parseVariant(variant), most_threads);
  ir.verify();
  return ir.text("f");
}

TEST(BlockShape, KnowsRowsOfWholeBlocks) {
  expectInOrder(known("simd:16x128:whole"),
                {"%x = call range(i32 0, 16) i32", "%y = call range(i32 0, 8) i32",
                 "%z = call range(i32 0, 1) i32"});
}

// There may be more rows, and planes.
TEST(BlockShape, KnowsTheRowsLength) {
  expectInOrder(known("simd:16x128:full"), {"%x = call range(i32 0, 16) i32",
                                            "%y = call range(i32 0, 1024) i32", "%z = call i32"});
}

// Rows may be any multiple of 32.
TEST(BlockShape, KnowsNothingElse) {
  expectInOrder(known("simd:32:full"), {"%x = call range(i32 0, 1024) i32"});
}

// Where rows are whole warps, or there is but one, a lane's number follows from threadIdx.x.
TEST(BlockShape, KnowsLanesOfWarps) {
  const std::string lane = "  %l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n"
                           "  call void @out(i32 %l)\n";
  const std::string text = known("simd:64:full", lane);
  expectInOrder(
      text, {"call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "and i32 %", ", 31", "call void @out"});
  expectNone(text, {"laneid"});
  expectNone(known("simd:32:partial", lane), {"laneid"});
  expectInOrder(known("simd:16x128:full", lane),
                {"%l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()"});
}

// What the program knows already is not forgotten.
TEST(BlockShape, KeepsNarrowerRanges) {
  expectInOrder(known("simd:16x64:full",
                      "  %x = call range(i32 0, 8) i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                      "  call void @out(i32 %x)\n"),
                {"%x = call range(i32 0, 8) i32"});
}

// The loops that load a tile of 20 x 20 have been unrolled; what cannot be is gone then.
TEST(BlockShape, DecidesConditions) {
  Ir ir(declarations + "define void @f() {\n"
                       "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                       "  %c = icmp ult i32 %x, 20\n  br i1 %c, label %a, label %end\na:\n"
                       "  call void @A()\n  %d = icmp ult i32 %x, 4\n"
                       "  br i1 %d, label %b, label %end\nb:\n  call void @B()\n"
                       "  br label %end\nend:\n  ret void\n}\n");
  useBlockShape(ir.function("f"), parseVariant("simd:16x64:full"), 0);
  canonicalize(ir.function("f"));
  ir.verify();
  const std::string text = ir.text("f");
  EXPECT_EQ(count(text, "br i1"), 1u);
  expectInOrder(text, {"call void @A()", "icmp ult i32 %x, 4", "br i1"});
}

// What is known of the block's shape: `threadIdx.x & 15` is threadIdx.x in a block of 16 x 16.
TEST(BlockShape, KnowsBitsOfThreads) {
  const auto bounded = [](const char *variant, unsigned most_threads = 0) {
    Ir ir(declarations + "define void @f() {\n"
                         "  %x = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                         "  %y = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
                         "  %a = and i32 %x, 15\n  call void @out(i32 %a)\n"
                         "  %b = and i32 %y, 3\n  call void @out(i32 %b)\n  ret void\n}\n");
    useBlockShape(ir.function("f"), parseVariant(variant), most_threads);
    canonicalize(ir.function("f"));
    ir.verify();
    return ir.text("f");
  };
  expectInOrder(bounded("simd:16x64:whole"), {"out(i32 %x)", "out(i32 %y)"});
  expectInOrder(bounded("simd:16x128:whole"), {"out(i32 %x)", "and i32 %y, 3", "out(i32 %b)"});
  expectInOrder(bounded("simd:16x64:full"), {"out(i32 %x)", "and i32 %y, 3", "out(i32 %b)"});
  // Code for blocks of one row is shared by those of other lengths.
  expectInOrder(bounded("simd:32:whole"), {"and i32 %x, 15", "and i32 %y, 3"});
  // Rows may be longer than what is known of their length.
  expectInOrder(bounded("simd:16:full"), {"and i32 %x, 15", "out(i32 %a)"});
  expectInOrder(bounded("simd:16:full", 16), {"out(i32 %x)", "and i32 %y, 3", "out(i32 %b)"});
}

// ---- Rows that are gangs -----------------------------------------------------------------------

std::string numbered(const std::string &range, const LaneLayout &layout) {
  Ir ir(declarations + "define void @f() {\n  %x = call " + range +
        " i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  call void @out(i32 %x)\n  ret void\n}\n");
  numberRowsByLane(ir.function("f"), layout);
  ir.verify();
  return ir.text("f");
}

TEST(BlockShape, NumbersThreadsOfARowThatIsAGang) {
  const std::string text = numbered("range(i32 0, 32)", row(32));
  expectInOrder(text, {"%1 = call i32 @heddle.lane()", "call void @out(i32 %1)"});
  expectNone(text, {"tid.x"});
}

TEST(BlockShape, NotOfLongerRows) {
  expectNone(numbered("range(i32 0, 33)", row(32)), {"heddle.lane"});
  expectNone(numbered("range(i32 0, 64)", row(32)), {"heddle.lane"});
  expectNone(numbered("", row(32)), {"heddle.lane"});
  expectNone(numbered("range(i32 0, 16)", {32, LaneLayout::Kind::Tiled, 16, 16, true}),
             {"heddle.lane"});
  expectNone(numbered("range(i32 0, 1)", row(1)), {"heddle.lane"});
}

TEST(BlockShape, NumbersThreadsOfAGangThatIsTheBlock) {
  LaneLayout whole = row(64);
  whole.whole = true;
  expectNone(numbered("", whole), {"tid.x"});
  whole = {64, LaneLayout::Kind::Tiled, 16, 16, true, true};
  expectNone(numbered("", whole), {"heddle.lane"});
}

} // namespace
