// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions of fewer threads than a gang has (known_lane_peeling.h). Gangs of four, the first and
// the third of a row, execute what comes out, and each of their threads does what it did before.
#include "engine/compiler/simd/analysis/known_lanes.h"
#include "engine/compiler/simd/versioning/known_lane_peeling.h"

#include "engine/compiler/simd/control/linearize.h"
#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "engine/compiler/simd/versioning/coherent_branch_versioning.h"
#include "simd/gang.h"
#include "simd/passes.h"

#include "llvm/IR/ValueSymbolTable.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

constexpr unsigned lanes = 4;

// The body begins at %start.
std::string function(const std::string &body) {
  return ofThread("  br label %start\nstart:\n" + body);
}

// if (condition %c) { inside } and then B.
std::string when(const std::string &condition, const std::string &inside) {
  return condition + "  br i1 %c, label %a, label %end\na:\n" + inside +
         "  br label %end\nend:\n  call void @B()\n  ret void\n";
}

// What a gang does whose first thread is `first`. Each of its threads does as it did.
std::string trace(const std::string &body, unsigned first, uint64_t n = 0) {
  Ir before(function(body)), after(function(body));
  canonicalizeLoops(after.function("f"));
  peelKnownLanes(after.function("f"), row(lanes));
  versionCoherentBranches(after.function("f"), row(lanes));
  linearize(after.function("f"), row(lanes));
  after.verify();
  Gang gang(lanes, first);
  const std::string result = gang.run(after.function("f"), {n});
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Gang thread(1, first + lane);
    thread.run(before.function("f"), {n});
    EXPECT_EQ(gang.lane(lane), thread.lane(0)) << "thread " << first + lane;
  }
  return result;
}

std::string separated(const std::string &body, LaneLayout layout = row(lanes)) {
  Ir ir(function(body));
  canonicalizeLoops(ir.function("f"));
  peelKnownLanes(ir.function("f"), layout);
  ir.verify();
  return ir.text("f");
}

bool isSeparated(const std::string &text) { return count(text, "@heddle.lane()") > 0; }

const std::string below_two = "  %c = icmp ult i32 %x, 2\n";
const std::string out_x = "  call void @out(i32 %x)\n";

// Only the first gang comes there, and its lanes are known.
TEST(KnownLanePeeling, OfTheFirstGang) {
  const std::string text = separated(when(below_two, out_x));
  expectInOrder(blockText(text, "start"),
                {"%first = icmp ult i32 %x, 4", "br i1 %first, label %first.gang, label %end"});
  expectInOrder(blockText(text, "first.gang"),
                {"= call i32 @heddle.lane()", "icmp ult i32", ", 2", "label %a, label %end"});
  expectInOrder(blockText(text, "a"), {"call void @out(i32 %0)"});
  EXPECT_EQ(trace(when(below_two, out_x), 0), "out(0,1):1100 B:all");
  EXPECT_EQ(trace(when(below_two, out_x), 8), "B:all");
}

TEST(KnownLanePeeling, HoweverTheConditionIsWritten) {
  for (const std::string condition :
       {"ult i32 %x, 2", "slt i32 %x, 2", "ule i32 %x, 1", "sle i32 %x, 1", "eq i32 %x, 0"}) {
    const std::string body = when("  %c = icmp " + condition + "\n", out_x);
    EXPECT_TRUE(isSeparated(separated(body))) << condition;
    trace(body, 0);
    trace(body, 8);
  }
  for (const std::string condition : {"ugt i32 %x, 1", "sge i32 %x, 2", "ne i32 %x, 0"}) {
    const std::string body = "  %c = icmp " + condition +
                             "\n  br i1 %c, label %end, label %a\na:\n" + out_x +
                             "  br label %end\nend:\n  call void @B()\n  ret void\n";
    EXPECT_TRUE(isSeparated(separated(body))) << condition;
    EXPECT_EQ(trace(body, 8), "B:all");
    trace(body, 0);
  }
}

TEST(KnownLanePeeling, NotOthers) {
  for (const std::string condition :
       {"ult i32 %x, %n", "ult i32 %x, 4", "ult i32 %x, 9", "eq i32 %x, 1", "ugt i32 %x, 1",
        "ne i32 %x, 0", "ult i32 %n, 2"})
    EXPECT_FALSE(isSeparated(separated(when("  %c = icmp " + condition + "\n", out_x))))
        << condition;
  EXPECT_FALSE(
      isSeparated(separated(when("  %i = add i32 %x, %n\n  %c = icmp ult i32 %i, 2\n", out_x))));
}

// Rows that are no gangs, and threads that run alone.
TEST(KnownLanePeeling, OnlyOfGangsAlongARow) {
  const std::string body = when(below_two, out_x);
  EXPECT_FALSE(isSeparated(separated(body, {16, LaneLayout::Kind::Tiled, 8, 8, true})));
  EXPECT_FALSE(isSeparated(separated(body, {16, LaneLayout::Kind::General, 0, 1, true})));
  EXPECT_FALSE(isSeparated(separated(body, row(1))));
}

// What was computed from threadIdx.x before is computed from the lane; what only looks so is not.
TEST(KnownLanePeeling, RebuildsWhatGrowsWithTheThread) {
  const std::string body =
      "  %wide = zext i32 %x to i64\n  %twice = shl i32 %x, 1\n  %sum = add i32 %twice, %n\n"
      "  %square = mul i32 %x, %x\n" +
      when(below_two, "  %place = getelementptr i32, ptr %p, i64 %wide\n"
                      "  store i32 %sum, ptr %place\n  call void @out(i32 %sum)\n"
                      "  call void @out(i32 %square)\n");
  const std::string inside = blockText(separated(body), "a");
  expectInOrder(inside, {"= zext i32 %0 to i64", "= shl i32 %0, 1", "= add i32 ", ", %n",
                         "call void @out(i32 %square)"});
  expectNone(inside, {"%wide", "%sum,", "%twice"});
  EXPECT_EQ(trace(body, 0, 5), "out(5,7):1100 out(0,1):1100 B:all");
}

// One thread's code is scalars, but still for that thread alone.
TEST(KnownLanePeeling, OfOneThreadAreNumberZero) {
  const std::string body =
      when("  %c = icmp eq i32 %x, 0\n", "  %i = add i32 %x, %n\n  call void @out(i32 %i)\n");
  expectInOrder(blockText(separated(body), "a"), {"%i = add i32 0, %n"});
  EXPECT_EQ(trace(body, 0, 7), "out(7):1000 B:all");
  EXPECT_EQ(trace(body, 8, 7), "B:all");
}

// threadIdx.x % 4: each gang has them.
TEST(KnownLanePeeling, OfEachGang) {
  const std::string body = when("  %l = and i32 %x, 3\n  %c = icmp eq i32 %l, 0\n",
                                "  call void @out(i32 %l)\n  call void @out(i32 %x)\n");
  const std::string text = separated(body);
  expectNone(text, {"first.gang"});
  expectInOrder(blockText(text, "a"), {"call void @out(i32 0)", "call void @out(i32 %x)"});
  EXPECT_EQ(trace(body, 0), "out(0):1000 out(0):1000 B:all");
  EXPECT_EQ(trace(body, 8), "out(0):1000 out(8):1000 B:all");
  EXPECT_FALSE(isSeparated(separated(when("  %i = add i32 %x, 1\n  %l = and i32 %i, 3\n"
                                          "  %c = icmp ult i32 %l, 2\n",
                                          out_x))));
}

// threadIdx.x % 8 in gangs of four: every second gang has them. threadIdx.x is no number of a lane
// there.
TEST(KnownLanePeeling, OfEverySecondGang) {
  const std::string body = when("  %l = and i32 %x, 7\n  %c = icmp ult i32 %l, 2\n",
                                "  call void @out(i32 %l)\n  call void @out(i32 %x)\n");
  const std::string text = separated(body);
  expectInOrder(text, {"%first = icmp ult i32 %l, 4", "icmp ult i32 %", ", 2"});
  expectInOrder(blockText(text, "a"), {"call void @out(i32 %0)", "call void @out(i32 %x)"});
  EXPECT_EQ(trace(body, 0), "out(0,1):1100 out(0,1):1100 B:all");
  EXPECT_EQ(trace(body, 4), "B:all");
  EXPECT_EQ(trace(body, 8), "out(0,1):1100 out(8,9):1100 B:all");
  EXPECT_FALSE(
      isSeparated(separated(when("  %l = and i32 %x, 6\n  %c = icmp ult i32 %l, 2\n", out_x))));
}

// What follows from the lane's number alone, and what else does where the gang is the block.
TEST(KnownLanePeeling, AreKnownOfConditions) {
  Ir ir("declare i32 @heddle.lane()\n" +
        ofThread("  %lane = call i32 @heddle.lane()\n"
                 "  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
                 "  %l = and i32 %lane, 6\n  %by.lane = icmp eq i32 %l, 4\n"
                 "  %r = urem i32 %x, 3\n  %by.x = icmp eq i32 %r, 0\n"
                 "  %s = shl i32 %y, 1\n  %by.y = icmp ult i32 %s, 8\n"
                 "  %m = add i32 %x, %n\n  %other = icmp ult i32 %m, 8\n"
                 "  %both = and i1 %by.x, %by.lane\n"
                 "  %either = select i1 %by.lane, i1 true, i1 %other\n  ret void\n"));
  const auto known = [&](const char *name, const LaneLayout &layout) {
    return partsKnownLanes(*ir.function("f").getValueSymbolTable()->lookup(name), layout);
  };
  LaneLayout rows{16, LaneLayout::Kind::Tiled, 8, 8, true};
  EXPECT_TRUE(known("by.lane", row(8)));
  EXPECT_FALSE(known("by.x", row(8)));
  EXPECT_FALSE(known("both", row(8)));
  EXPECT_TRUE(known("both", rows));
  EXPECT_FALSE(known("either", rows));
  EXPECT_TRUE(known("by.x", rows));
  EXPECT_FALSE(known("by.y", rows));
  rows.whole = true;
  EXPECT_TRUE(known("by.y", rows));
  EXPECT_FALSE(known("other", rows));
}

// Of a block of 64 threads that is one gang.
TEST(KnownLanePeeling, AreCounted) {
  LaneLayout block = row(64);
  block.whole = true;
  const auto count = [&](const std::string &condition, const LaneLayout &layout) {
    Ir ir(function("  %l = and i32 %x, 15\n  %m = mul i32 %x, 8\n" +
                   when("  %c = icmp " + condition + "\n", out_x)));
    const auto *inside = ir.function("f").getValueSymbolTable()->lookup("a");
    return lanesThatCome(*llvm::cast<llvm::BasicBlock>(inside), layout);
  };
  EXPECT_EQ(count("eq i32 %x, 0", block).count, 1u);
  EXPECT_EQ(count("ult i32 %x, 4", block).count, 4u);
  EXPECT_EQ(count("ne i32 %x, 0", block).count, 63u);
  EXPECT_EQ(count("eq i32 %l, 15", block).count, 4u);
  EXPECT_EQ(count("ult i32 %m, 33", block).count, 5u);
  EXPECT_EQ(count("eq i32 %n, 0", block).count, 64u);
  EXPECT_EQ(count("eq i32 %x, 0", row(64)).count, 64u);
  EXPECT_TRUE(count("ult i32 %x, 4", block).are_first);
  EXPECT_TRUE(count("ult i32 %m, 33", block).are_first);
  EXPECT_FALSE(count("ult i32 %l, 15", block).are_first);
  EXPECT_FALSE(count("eq i32 %x, 1", block).are_first);
}

TEST(KnownLanePeeling, OfALanesRegister) {
  const std::string body = when("  %l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n"
                                "  %c = icmp ult i32 %l, 2\n",
                                "  call void @out(i32 %l)\n");
  EXPECT_TRUE(isSeparated(separated(body, row(32))));
  EXPECT_FALSE(isSeparated(separated(body, row(16))));
  EXPECT_FALSE(isSeparated(separated(body, row(64))));
}

// An else side would get a mask in the first gang.
TEST(KnownLanePeeling, NotWithAnElse) {
  const std::string sides = "  br i1 %c, label %a, label %b\na:\n" + out_x +
                            "  br label %end\nb:\n  call void @C()\n  br label %end\n"
                            "end:\n  call void @B()\n  ret void\n";
  EXPECT_FALSE(isSeparated(separated(below_two + sides)));
  EXPECT_TRUE(isSeparated(separated("  %l = and i32 %x, 3\n  %c = icmp ult i32 %l, 2\n" + sides)));
}

// A phi behind it has the same value for the others, whichever gang they are in.
TEST(KnownLanePeeling, LeavesPhisWhatTheyWere) {
  const std::string body = below_two + "  br i1 %c, label %a, label %end\na:\n"
                                       "  %v = add i32 %x, 100\n  br label %end\nend:\n"
                                       "  %r = phi i32 [ %v, %a ], [ %n, %start ]\n"
                                       "  call void @out(i32 %r)\n  ret void\n";
  EXPECT_EQ(trace(body, 0, 7), "out(100,101,7,7):all");
  EXPECT_EQ(trace(body, 8, 7), "out(7):all");
}

TEST(KnownLanePeeling, WithinEachOther) {
  const std::string body =
      "  %c = icmp ult i32 %x, 3\n  br i1 %c, label %a, label %end\na:\n" + out_x +
      "  %d = icmp eq i32 %x, 0\n  br i1 %d, label %b, label %joined\nb:\n" + out_x +
      "  br label %joined\njoined:\n  call void @A()\n  br label %end\nend:\n  call void @B()\n"
      "  ret void\n";
  EXPECT_EQ(trace(body, 0), "out(0,1,2):1110 out(0):1000 A:1110 B:all");
  EXPECT_EQ(trace(body, 8), "B:all");
}

// What else is asked is asked of the lanes that are known, whichever question comes first, and
// whether both must hold or one is enough.
TEST(KnownLanePeeling, AndAnotherCondition) {
  const std::string conditions = "  %l = and i32 %x, 3\n  %few = icmp ult i32 %l, 2\n"
                                 "  %more = icmp ult i32 %x, %n\n";
  const std::string out_l = "  call void @out(i32 %l)\n";
  for (const char *both : {"select i1 %few, i1 %more, i1 false", "and i1 %more, %few",
                           "select i1 %more, i1 %few, i1 false"}) {
    const std::string body = when(conditions + "  %c = " + both + "\n", out_l);
    expectInOrder(blockText(separated(body), "start"),
                  {"br i1 %", "label %start.known, label %end"});
    expectInOrder(blockText(separated(body), "start.known"), {"br i1 %more, label %a, label %end"});
    EXPECT_EQ(trace(body, 0, 9), "out(0,1):1100 B:all");
    EXPECT_EQ(trace(body, 8, 9), "out(0):1000 B:all");
    EXPECT_EQ(trace(body, 12, 9), "B:all");
  }
  const std::string either = "  %r = phi i32 [ %n, %start ], [ 7, %a ]\n";
  const std::string body = conditions +
                           "  %high = icmp ugt i32 %l, 1\n"
                           "  %c = or i1 %more, %high\n  br i1 %c, label %end, label %a\na:\n" +
                           out_l + "  br label %end\nend:\n" + either +
                           "  call void @out(i32 %r)\n  ret void\n";
  expectInOrder(blockText(separated(body), "start"), {"br i1 %", "label %end, label %start.known"});
  expectInOrder(blockText(separated(body), "start.known"), {"br i1 %more, label %end, label %a"});
  expectInOrder(separated(body), {"%r = phi i32 [ %n, %start ], [ 7, %a ], [ %n, %start.known ]"});
  EXPECT_EQ(trace(body, 8, 9), "out(1):0100 out(9,7,9,9):all");
}

// Two conditions of which neither is known are one question.
TEST(KnownLanePeeling, LeaveOtherConjunctionsAlone) {
  expectNone(separated(when("  %d = icmp ult i32 %x, %n\n  %e = icmp ugt i32 %x, 1\n"
                            "  %c = and i1 %d, %e\n",
                            out_x)),
             {"known"});
}

// In a gang of rows, threadIdx.x is the place in the row.
TEST(KnownLanePeeling, OfEachRow) {
  const std::string body = when("  %d = icmp ult i32 %x, %n\n  %few = icmp ult i32 %x, 2\n"
                                "  %c = and i1 %d, %few\n",
                                out_x);
  expectInOrder(
      blockText(separated(body, {16, LaneLayout::Kind::Tiled, 8, 8, true}), "start.known"),
      {"br i1 %d, label %a, label %end"});
  expectNone(separated(body, {16, LaneLayout::Kind::General, 0, 1, true}), {"known"});
}

// In a loop, and with a loop inside.
TEST(KnownLanePeeling, InLoops) {
  const std::string body =
      "  br label %loop\nloop:\n  %i = phi i32 [ 0, %start ], [ %next, %rest ]\n" + below_two +
      "  br i1 %c, label %a, label %rest\na:\n  %k = phi i32 [ %x, %loop ], [ %k1, %a ]\n"
      "  call void @out(i32 %k)\n  %k1 = add i32 %k, 10\n  %again = icmp ult i32 %k1, 20\n"
      "  br i1 %again, label %a, label %rest\nrest:\n  call void @A()\n  %next = add i32 %i, 1\n"
      "  %more = icmp ult i32 %next, 2\n  br i1 %more, label %loop, label %end\nend:\n  ret void\n";
  EXPECT_TRUE(isSeparated(separated(body)));
  EXPECT_EQ(trace(body, 0), "out(0,1):1100 out(10,11):1100 A:all out(0,1):1100 out(10,11):1100 "
                            "A:all");
  EXPECT_EQ(trace(body, 8), "A:all A:all");
}

// A loop's own condition is no such thing: threads leave it, or begin anew.
TEST(KnownLanePeeling, NotWhatEndsALoop) {
  const std::string body =
      "  br label %loop\nloop:\n  %i = phi i32 [ 0, %start ], [ %next, %rest ]\n"
      "  %next = add i32 %i, 1\n" +
      below_two +
      "  br i1 %c, label %out, label %rest\nrest:\n  call void @A()\n"
      "  %more = icmp ult i32 %next, 3\n  br i1 %more, label %loop, label %end\nout:\n"
      "  call void @C()\n  br label %end\nend:\n  ret void\n";
  EXPECT_FALSE(isSeparated(separated(body)));
  trace(body, 0);
  trace(body, 8);
}

// All lanes never agree, so no code is made for when they do.
TEST(KnownLanePeeling, HaveNoCopyForAllLanes) {
  const std::string body = when(below_two, "  store i32 %x, ptr %p\n" + out_x);
  Ir ir(function(body));
  peelKnownLanes(ir.function("f"), row(lanes));
  versionCoherentBranches(ir.function("f"), row(lanes));
  expectNone(ir.text("f"), {"@heddle.all"});
  Ir without(function(body));
  versionCoherentBranches(without.function("f"), row(lanes));
  expectInOrder(without.text("f"), {"@heddle.all"});
}

// But of the lanes that are known, all may agree: they have a copy.
TEST(KnownLanePeeling, HaveACopyForAllOfThem) {
  const std::string body = when("  %l = and i32 %x, 3\n  %few = icmp ult i32 %l, 2\n"
                                "  %d = icmp ult i32 %x, %n\n  %c = and i1 %few, %d\n",
                                "  %t = add i32 %x, %n\n  store i32 %t, ptr %p\n" + out_x);
  Ir ir(function(body));
  peelKnownLanes(ir.function("f"), row(lanes));
  versionCoherentBranches(ir.function("f"), row(lanes));
  expectInOrder(ir.text("f"), {"start.known:", "call i1 @heddle.all(i1 %d)"});
  EXPECT_EQ(trace(body, 8, 16), "out(8,9):1100 B:all");
  EXPECT_EQ(trace(body, 8, 9), "out(8):1000 B:all");
  EXPECT_EQ(trace(body, 8, 4), "B:all");
}

} // namespace
