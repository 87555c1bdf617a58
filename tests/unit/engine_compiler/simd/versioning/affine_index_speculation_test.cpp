// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second copy of code for gangs whose lanes choose alike, and whose indices do not wrap
// (affine_index_speculation.h). A gang of four executes the result: gang.h says how to read its
// trace.
#include "engine/compiler/simd/versioning/affine_index_speculation.h"

#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "simd/gang.h"
#include "simd/passes.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

constexpr unsigned lanes = 4;

// The body of a function with arguments %n, %m and %p, and %x = threadIdx.x; the numbers also with
// 64 bits, as %nw, %mw and %xw.
std::string function(const std::string &body) {
  return declarations +
         "declare void @wide(i64)\ndeclare i64 @llvm.smin.i64(i64, i64)\n"
         "declare i64 @llvm.umax.i64(i64, i64)\n"
         "define void @f(i32 %n, i32 %m, ptr %p) {\nentry:\n"
         "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %xw = zext i32 %x to i64\n"
         "  %nw = zext i32 %n to i64\n  %mw = zext i32 %m to i64\n  br label %start\nstart:\n" +
         body + "  ret void\n}\n";
}

// Accesses p[i], with an index of 64 bits, and says what i is.
std::string access(const std::string &index) {
  return "  " + index + ".a = getelementptr i8, ptr %p, i64 " + index + "\n  store i8 0, ptr " +
         index + ".a\n  call void @wide(i64 " + index + ")\n";
}

std::string copied(const std::string &body, LaneLayout layout = row(lanes)) {
  Ir ir(function(body));
  canonicalizeLoops(ir.function("f"));
  speculateAffineIndices(ir.function("f"), layout);
  ir.verify();
  return ir.text("f");
}

unsigned questions(const std::string &body) { return count(copied(body), "call i1 @heddle.all("); }

// What a gang does; the same as its threads would.
std::string trace(const std::string &body, uint64_t n, uint64_t m = 0) {
  Ir before(function(body)), ir(function(body));
  canonicalizeLoops(ir.function("f"));
  speculateAffineIndices(ir.function("f"), row(lanes));
  Gang gang(lanes);
  const std::string result = gang.run(ir.function("f"), {n, m});
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Gang thread(1, lane);
    thread.run(before.function("f"), {n, m});
    EXPECT_EQ(gang.lane(lane), thread.lane(0)) << "lane " << lane << " of " << n << ", " << m;
  }
  return result;
}

// x + 1 < n ? x + 1 : 0
const std::string next = "  %x1 = add i64 %xw, 1\n  %c = icmp ult i64 %x1, %nw\n"
                         "  %i = select i1 %c, i64 %x1, i64 0\n";

// Where all lanes choose the first, the copy has that in place of the choice.
TEST(AffineIndexSpeculation, AreMadeOnceForTheGang) {
  const std::string text = copied(next + access("%i"));
  expectInOrder(text, {"freeze i1", "call i1 @heddle.all(", "br i1"});
  EXPECT_EQ(count(text, "call i1 @heddle.all("), 1u);
  EXPECT_EQ(count(text, "select i1"), 1u); // of the original
  EXPECT_EQ(count(text, "call void @wide(i64 %x1)"), 1u);
  EXPECT_EQ(count(text, "call void @wide(i64 %i)"), 1u);
}

// What is chosen in 32 bits and does not wrap, as the program says, is an index without another
// question.
TEST(AffineIndexSpeculation, OfIndicesThatDoNotWrapAreNotAskedAgain) {
  const std::string text =
      copied("  %l = add nsw i32 %x, -1\n  %c = icmp sgt i32 %x, 0\n"
             "  %i = select i1 %c, i32 %l, i32 %n\n  %iw = sext i32 %i to i64\n" +
             access("%iw"));
  EXPECT_EQ(count(text, "call i1 @heddle.all("), 1u);
  expectNone(text, {"@heddle.in.range"});
  expectInOrder(text, {"= add i64 %", ", -1"});
}

// The question about one index needs another one, of which it is asked whether it wraps, too.
TEST(AffineIndexSpeculation, MayBeAskedAboutInAnotherQuestion) {
  const std::string body = "  %i = add i32 %x, %n\n  %iw = sext i32 %i to i64\n" + access("%iw") +
                           "  %j = add i32 %x, %m\n  %jw = sext i32 %j to i64\n"
                           "  %c = icmp slt i64 %jw, 12\n"
                           "  %s = select i1 %c, i64 %xw, i64 0\n" +
                           access("%jw") + access("%s");
  EXPECT_EQ(count(copied(body), "call i1 @heddle.in.range("), 2u);
  EXPECT_EQ(trace(body, 5, 7), "wide(5,6,7,8):all wide(7,8,9,10):all wide(0,1,2,3):all");
  EXPECT_EQ(trace(body, 5, 10), "wide(5,6,7,8):all wide(10,11,12,13):all wide(0,1,0,0):all");
}

TEST(AffineIndexSpeculation, ComeOutAsBefore) {
  EXPECT_EQ(trace(next + access("%i"), 9), "wide(1,2,3,4):all");
  EXPECT_EQ(trace(next + access("%i"), 4), "wide(1,2,3,0):all");
  EXPECT_EQ(trace(next + access("%i"), 0), "wide(0):all");
}

// The second operand, if that is the one that grows.
TEST(AffineIndexSpeculation, OfTheOtherValue) {
  const std::string body =
      "  %c = icmp eq i32 %x, %n\n  %i = select i1 %c, i64 7, i64 %xw\n" + access("%i");
  expectInOrder(copied(body), {"xor i1 %c, true", "call i1 @heddle.all("});
  EXPECT_EQ(trace(body, 9), "wide(0,1,2,3):all");
  EXPECT_EQ(trace(body, 2), "wide(0,1,7,3):all");
}

// All of a block are asked for at once: one that comes out otherwise, and it is not the copy.
TEST(AffineIndexSpeculation, OfABlockAreAskedForTogether) {
  const std::string body =
      next + access("%i") +
      "  %y = add i64 %xw, 5\n  %d = icmp ult i64 %y, %mw\n  %j = select i1 %d, i64 %y, i64 1\n" +
      access("%j") + "  %e = icmp ne i32 %x, 3\n  %k = select i1 %e, i64 %y, i64 %nw\n" +
      access("%k");
  EXPECT_EQ(questions(body), 1u);
  for (uint64_t n : {0, 3, 4, 5, 9})
    for (uint64_t m : {0, 7, 8, 9, 20})
      EXPECT_NE(trace(body, n, m), "");
  const std::string two = next + access("%i") +
                          "  %y = add i64 %xw, 5\n  %d = icmp ult i64 %y, %mw\n"
                          "  %j = select i1 %d, i64 %y, i64 1\n" +
                          access("%j");
  EXPECT_EQ(questions(two), 1u);
  EXPECT_EQ(trace(two, 9, 9), "wide(1,2,3,4):all wide(5,6,7,8):all");
  EXPECT_EQ(trace(two, 4, 9), "wide(1,2,3,0):all wide(5,6,7,8):all"); // the first only
  EXPECT_EQ(trace(two, 9, 8), "wide(1,2,3,4):all wide(5,6,7,1):all"); // the last only
}

// min(max(x, m), n): the second is asked about what the first is expected to be.
TEST(AffineIndexSpeculation, OfExtremes) {
  const std::string body = "  %l = call i64 @llvm.umax.i64(i64 %xw, i64 %mw)\n"
                           "  %i = call i64 @llvm.smin.i64(i64 %l, i64 %nw)\n" +
                           access("%i");
  const std::string text = copied(body);
  EXPECT_EQ(count(text, "call i1 @heddle.all("), 1u);
  expectInOrder(text, {"icmp uge i64 %xw, %mw", "icmp sle i64 %xw, %nw", "call i1 @heddle.all("});
  EXPECT_EQ(trace(body, 9, 0), "wide(0,1,2,3):all");
  EXPECT_EQ(trace(body, 9, 2), "wide(2,2,2,3):all");
  EXPECT_EQ(trace(body, 2, 0), "wide(0,1,2,2):all");
  EXPECT_EQ(trace(body, 2, 1), "wide(1,1,2,2):all");
}

// An index of 32 bits may wrap from lane to lane. If the same sum in 64 bits fits 32 in all lanes,
// then it is the index.
TEST(AffineIndexSpeculation, IndicesDoNotWrap) {
  const std::string body = "  %i = add i32 %x, %m\n  %w = sext i32 %i to i64\n" + access("%w");
  const std::string text = copied(body);
  expectInOrder(text, {"sext i32 %x to i64", "sext i32 %m to i64",
                       "call i1 @heddle.in.range(i64 %2, i64 -2147483648)"});
  EXPECT_EQ(trace(body, 0, 5), "wide(5,6,7,8):all");
  Ir ir(function("  %i = add i32 %x, %m\n  %w = sext i32 %i to i64\n  call void @wide(i64 %w)\n"
                 "  %k = getelementptr i8, ptr %p, i64 %w\n"));
  canonicalizeLoops(ir.function("f"));
  speculateAffineIndices(ir.function("f"), row(lanes));
  EXPECT_EQ(count(ir.text("f"), "call i1 @heddle.in.range("), 1u);
  const std::string high = "18446744071562067968"; // -2^31
  EXPECT_EQ(Gang(lanes).run(ir.function("f"), {0, 0x7ffffffe}),
            "wide(2147483646,2147483647," + high + ",18446744071562067969):all");
}

TEST(AffineIndexSpeculation, IndicesThatShrinkOrAreUnsigned) {
  for (const auto &[index, extension] : {std::pair("sub i32 %m, %x", "sext"),
                                         {"sub i32 %m, %x", "zext"},
                                         {"add i32 %m, %x", "zext"}}) {
    Ir ir(function(std::string("  %i = ") + index + "\n  %w = " + extension +
                   " i32 %i to i64\n  call void @wide(i64 %w)\n"
                   "  %k = getelementptr i8, ptr %p, i64 %w\n"));
    const Ir unchanged(ir.text());
    canonicalizeLoops(ir.function("f"));
    speculateAffineIndices(ir.function("f"), row(lanes));
    EXPECT_EQ(count(ir.text("f"), "call i1 @heddle.in.range("), 1u) << index;
    Ir before(unchanged.text());
    for (const uint64_t m : {100u, 2u, 0u, 0x80000001u, 0x7ffffffeu, 0xfffffffeu}) {
      Gang gang(lanes);
      gang.run(ir.function("f"), {0, m});
      for (unsigned lane = 0; lane < lanes; ++lane) {
        Gang thread(1, lane);
        thread.run(before.function("f"), {0, m});
        EXPECT_EQ(gang.lane(lane), thread.lane(0)) << index << " " << extension << " of " << m;
      }
    }
  }
}

// What the index is computed from may differ from row to row.
TEST(AffineIndexSpeculation, InRowsOfAGang) {
  const std::string text = copied("  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
                                  "  %r = mul i32 %y, %n\n  %i = add i32 %r, %x\n"
                                  "  %w = sext i32 %i to i64\n" +
                                      access("%w"),
                                  {8, LaneLayout::Kind::Tiled, 4, 4, true});
  expectInOrder(text, {"@llvm.nvvm.read.ptx.sreg.tid.y()", "sext i32 %y to i64", "mul i64",
                       "sext i32 %x to i64", "add i64", "call i1 @heddle.in.range("});
  expectNone(text, {"@heddle.lane", "@heddle.all"});
}

// What is asked has a scalar a row, also where a sum is written as an | of other bits, or where
// only its distance from lane to lane is known.
TEST(AffineIndexSpeculation, WhatIsAskedHasScalars) {
  const LaneLayout rows = {8, LaneLayout::Kind::Tiled, 4, 4, true};
  for (const char *index :
       {"  %t = mul i32 %x, 3\n  %k = shl i32 %y, 4\n  %s = or disjoint i32 %k, %t\n",
        "  %t = mul i32 %x, 3\n  %s = freeze i32 %t\n"}) {
    Ir ir(function(std::string("  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n") + index +
                   "  %i = add i32 %s, %m\n  %w = sext i32 %i to i64\n" + access("%w")));
    canonicalizeLoops(ir.function("f"));
    speculateAffineIndices(ir.function("f"), rows);
    ir.verify();
    const ShapedCode code(ir.function("f"), rows);
    unsigned asked = 0;
    for (const llvm::Instruction &instruction : llvm::instructions(ir.function("f")))
      if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction()->getName() == "heddle.in.range") {
        EXPECT_TRUE(code.shapes.of(call->getArgOperand(0)).hasRowBases()) << ir.text("f");
        ++asked;
      }
    EXPECT_EQ(asked, 1u) << ir.text("f");
  }
}

// i / width and i % width: no row ends between the lanes, so all have the first one's quotient.
TEST(AffineIndexSpeculation, OfOneQuotient) {
  const std::string index = "  %i = add i64 %xw, %mw\n";
  const std::string quotient = "  %q = udiv i64 %i, %nw\n" + access("%q");
  const std::string rest = "  %r = urem i64 %i, %nw\n" + access("%r");
  for (const std::string &body : {index + quotient, index + rest, index + quotient + rest})
    for (const uint64_t width : {1, 3, 4, 5, 8, 9, 1000})
      for (const uint64_t first : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
        trace(body, width, first);
  // Where numbers wrap from lane to lane, and are small again.
  const std::string wrapping = "  %w = add i32 %x, %m\n  %r = urem i32 %w, %n\n"
                               "  %q = zext i32 %r to i64\n" +
                               access("%q");
  for (const uint32_t first : {0xffffffffu, 0xfffffffeu, 0xfffffffdu, 0xfffffffcu, 0xfffffff0u})
    for (const uint64_t width : {7, 1000, 8191})
      trace(wrapping, width, first);
  const std::string text = copied(index + quotient + rest);
  EXPECT_EQ(count(text, "call i1 @heddle.all("), 1u);
  EXPECT_EQ(count(text, " = urem "), 1u); // of the original
  expectInOrder(text, {"udiv i64 ", "sub nuw i64 %i, ", "icmp ugt i64", ", 3", "heddle.all"});
}

// Signed ones, if neither is negative: what comes out is the same in any case.
TEST(AffineIndexSpeculation, OfOneSignedQuotient) {
  const std::string body = "  %i = add i32 %x, %m\n  %q = sdiv i32 %i, %n\n"
                           "  %qw = sext i32 %q to i64\n" +
                           access("%qw") + "  %r = srem i32 %i, %n\n  %rw = sext i32 %r to i64\n" +
                           access("%rw");
  for (const int width : {1, 3, 4, 7, 100, -3, -100})
    for (const int first : {0, 1, 5, 96, 99, -2, -5, -100})
      trace(body, uint32_t(width), uint32_t(first));
  expectInOrder(copied(body), {"icmp ule i32", "2147483644", "icmp sgt i32 %n, 0", "heddle.all"});
}

// Devices divide by 0, too. That this is not so is asked beside, not in a copy of the copy.
TEST(AffineIndexSpeculation, OfWhatIsDividedByNothing) {
  const std::string body = "  %i = add i64 %xw, %mw\n  %zero = icmp eq i64 %nw, 0\n"
                           "  %d = select i1 %zero, i64 1, i64 %nw\n  %t = udiv i64 %i, %d\n"
                           "  %q = select i1 %zero, i64 -1, i64 %t\n" +
                           access("%q");
  EXPECT_EQ(questions(body), 1u);
  for (const uint64_t width : {0, 1, 3, 8})
    for (const uint64_t first : {0, 2, 7})
      trace(body, width, first);
  // A condition that lanes answer differently may depend on the quotient.
  const std::string choice = "  %i = add i64 %xw, %mw\n  %q = udiv i64 %i, %nw\n"
                             "  %c = icmp ugt i64 %q, %mw\n  %j = select i1 %c, i64 %q, i64 %xw\n" +
                             access("%j");
  EXPECT_EQ(count(copied(choice), "select i1 %c, i64 %q, i64 %xw"), 1u);
}

// ---- Where a row ends (quotient_loop.h) ----

// a[i / width] and a[i % width], without calls; and what is done in between.
std::string takenApart(const std::string &divide, const std::string &between = "") {
  const std::string extend = divide == "sdiv" ? "sext" : "zext";
  return "  %i = add nsw i32 %x, %m\n  %q = " + divide +
         " i32 %i, %n\n  %mul = mul i32 %q, %n\n"
         "  %r = sub i32 %i, %mul\n  %qw = " +
         extend + " i32 %q to i64\n  %rw = " + extend +
         " i32 %r to i64\n  %a = getelementptr i8, ptr %p, i64 %qw\n  store i8 1, ptr %a\n" +
         between + "  %b = getelementptr i8, ptr %p, i64 %rw\n  store i8 2, ptr %b\n";
}

TEST(QuotientLoop, AreLeftRowByRow) {
  const std::string text = copied(takenApart("sdiv"));
  expectInOrder(text, {"heddle.all", "label %either, label %"}); // sensible numbers?
  expectInOrder(text, {"either:", "label %rows"});               // one row?
  expectInOrder(text,
                {"row:", "phi i32 [ %", ", %rows ]", "mul nsw i32", "sub nsw i32 %i, ",
                 "icmp ult i32", "br i1", "next.row:", "icmp sge i32", "label %row, label %"});
  EXPECT_EQ(count(text, " = sdiv "), 1u) << text; // of the original
  // In the copy for one row, no remainder wraps at all.
  EXPECT_EQ(count(text, "sub nuw nsw i32 %i, "), 1u) << text;
  EXPECT_EQ(count(text, "store i8 2"), 3u) << text;
}

// Not what has an order across lanes, nor where threads meet; unsigned numbers of the other lanes
// would wrap; and rows of a gang have rows of their own each.
TEST(QuotientLoop, ThatStay) {
  const auto loops = [](const std::string &text) { return count(text, "\nrow:"); };
  EXPECT_EQ(loops(copied(takenApart("sdiv"))), 1u);
  EXPECT_EQ(loops(copied(takenApart("udiv"))), 0u);
  for (const char *between :
       {"  call void @A()\n", "  call void @llvm.nvvm.barrier0()\n",
        "  %o = atomicrmw add ptr %p, i32 1 monotonic\n", "  store volatile i8 3, ptr %a\n"})
    EXPECT_EQ(loops(copied(takenApart("sdiv", between))), 0u) << between;
  EXPECT_EQ(loops(copied(takenApart("sdiv"), {lanes, LaneLayout::Kind::Tiled, 2, 2, true})), 0u);
  std::string much;
  for (int i = 0; i < 300; ++i)
    much += "  store i8 " + std::to_string(i % 100) + ", ptr %a\n  store i8 0, ptr %p\n";
  EXPECT_EQ(loops(copied(takenApart("sdiv", much))), 0u);
}

// Rows of a gang have quotients of their own; lanes that are far apart have different ones.
TEST(AffineIndexSpeculation, OfOneQuotientARow) {
  const LaneLayout rows{lanes, LaneLayout::Kind::Tiled, 2, 2, true};
  const std::string division =
      "  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n  %yw = zext i32 %y to i64\n"
      "  %row = mul i64 %yw, %mw\n  %i = add i64 %row, %xw\n"
      "  %q = udiv i64 %i, %nw\n" +
      access("%q");
  expectInOrder(copied(division, rows), {"icmp ugt i64", ", 1", "heddle.all"});
  const std::string far = "  %i = mul i64 %xw, 9\n  %q = udiv i64 %i, %nw\n" + access("%q");
  EXPECT_EQ(questions(far), 0u);
}

// What is chosen between must be known, and say where memory is; and only in code for all lanes.
TEST(AffineIndexSpeculation, ThatAreNotAskedFor) {
  EXPECT_EQ(questions(next + "  call void @wide(i64 %i)\n"), 0u);
  EXPECT_EQ(questions("  %u = load i64, ptr %p\n  %v = mul i64 %xw, %xw\n"
                      "  %c = icmp eq i64 %v, %u\n  %i = select i1 %c, i64 %v, i64 0\n" +
                      access("%i")),
            0u);
  EXPECT_EQ(questions("  %two = icmp ult i32 %x, 2\n  br i1 %two, label %in, label %end\nin:\n" +
                      next + access("%i") + "  br label %end\nend:\n"),
            0u);
  // Nothing of more than 64 bits is known to grow, so there is nothing to win.
  EXPECT_EQ(questions("  %a = sub i32 %m, %x\n  %b = sext i32 %a to i128\n"
                      "  %c = lshr i128 %b, 1\n  %i = trunc i128 %c to i64\n" +
                      access("%i")),
            0u);
}

// What is asked for first must not depend on what happens in between: then there are two questions.
TEST(AffineIndexSpeculation, ThatDependOnMemory) {
  const std::string second =
      "  %d = icmp ult i64 %xw, %v\n  %j = select i1 %d, i64 %xw, i64 1\n" + access("%j");
  const std::string load = "  %v = load i64, ptr %p\n";
  EXPECT_EQ(questions(load + next + access("%i") + second), 1u);
  // The question of the second is asked in the copy, too.
  EXPECT_EQ(questions(next + access("%i") + load + second), 2u);
}

} // namespace
