// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A second copy of several guarded statements for gangs that are within all of their bounds
// (guard_widening.h). A gang of four executes the result: gang.h says how to read its trace.
#include "engine/compiler/simd/versioning/guard_widening.h"

#include "engine/compiler/simd/control/linearize.h"
#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "engine/compiler/simd/versioning/coherent_branch_versioning.h"
#include "simd/gang.h"
#include "simd/passes.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

constexpr unsigned lanes = 4;

// The body of a function with arguments %n and %p, and %x = threadIdx.x; its first block is %g0.
std::string function(const std::string &body) {
  return declarations + "declare i32 @llvm.smin.i32(i32, i32)\ndeclare i32 @value()\n" +
         "define void @f(i32 %n, ptr %p) {\nentry:\n"
         "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  br label %g0\n" +
         body + "}\n!0 = !{}\n";
}

// Block %g<k>: if (2 * x + k `predicate` bound) inside. Goes on at the next one.
std::string guard(unsigned k, const std::string &inside, const std::string &bound = "%n",
                  const std::string &predicate = "slt") {
  const std::string number = std::to_string(k), next = "%g" + std::to_string(k + 1);
  return "g" + number + ":\n  %d" + number + " = mul nuw nsw i32 %x, 2\n  %i" + number +
         " = add nuw nsw i32 %d" + number + ", " + number + "\n  %c" + number + " = icmp " +
         predicate + " i32 %i" + number + ", " + bound + "\n  br i1 %c" + number + ", label %a" +
         number + ", label " + next + "\na" + number + ":\n" + inside + "  br label " + next + "\n";
}

std::string callOf(const std::string &name) { return "  call void @" + name + "()\n"; }

const std::string last = "g2:\n  call void @C()\n  ret void\n";

std::string copied(const std::string &body) {
  Ir ir(function(body));
  canonicalizeLoops(ir.function("f"));
  widenGuards(ir.function("f"), row(lanes));
  ir.verify();
  return ir.text("f");
}

bool isCopied(const std::string &body) { return count(copied(body), "@heddle.all(") > 0; }

// What a gang does; the same as its threads would.
std::string trace(const std::string &body, uint64_t n) {
  Ir before(function(body)), ir(function(body));
  canonicalizeLoops(ir.function("f"));
  widenGuards(ir.function("f"), row(lanes));
  linearize(ir.function("f"), row(lanes));
  ir.verify();
  Gang gang(lanes);
  const std::string result = gang.run(ir.function("f"), {n});
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Gang thread(1, lane);
    thread.run(before.function("f"), {n});
    EXPECT_EQ(gang.lane(lane), thread.lane(0)) << "lane " << lane << " of " << n;
  }
  return result;
}

// Where all elements are there, nothing is left out and nothing is tested again.
TEST(GuardWidening, OneQuestionForAll) {
  const std::string body = guard(0, callOf("A")) + guard(1, callOf("B")) + last;
  EXPECT_EQ(count(copied(body), "call i1 @heddle.all("), 2u);
  EXPECT_EQ(trace(body, 8), "A:all B:all C:all");
  EXPECT_EQ(trace(body, 7), "A:1111 B:1110 C:all");
  EXPECT_EQ(trace(body, 2), "A:1000 B:1000 C:all");
  EXPECT_EQ(trace(body, 0), "C:all");
}

// The copies lie in one block, where groups of accesses are looked for.
TEST(GuardWidening, AreOnePieceOfCode) {
  const std::string text = copied(guard(0, callOf("A")) + guard(1, callOf("B")) + last);
  EXPECT_EQ(count(text, "call void @A()\n  call void @B()\n  br label %g2"), 1u);
}

// What is loaded under the guards, and what is computed between them, is used behind them.
TEST(GuardWidening, ValuesAreJoinedBehindThem) {
  const std::string body =
      guard(0, "  %v = add i32 %x, 10\n" + callOf("A")) +
      "g1:\n  %own = phi i32 [ %v, %a0 ], [ 7, %g0 ]\n  %twice = mul i32 %own, %own\n"
      "  %i1 = add nuw nsw i32 %x, 1\n  %c1 = icmp slt i32 %i1, %n\n"
      "  br i1 %c1, label %a1, label %g2\n"
      "a1:\n  %w = add i32 %own, 1\n  call void @B()\n  br label %g2\n"
      "g2:\n  %other = phi i32 [ %w, %a1 ], [ 5, %g1 ]\n  call void @out(i32 %own)\n"
      "  call void @out(i32 %other)\n  call void @out(i32 %twice)\n"
      "  call void @out(i32 %i1)\n  ret void\n";
  EXPECT_TRUE(isCopied(body));
  EXPECT_EQ(trace(body, 7),
            "A:all B:all out(10,11,12,13):all out(11,12,13,14):all out(100,121,144,169):all "
            "out(1,2,3,4):all");
  EXPECT_EQ(trace(body, 3), "A:1100 B:1100 out(10,11,7,7):all out(11,12,5,5):all "
                            "out(100,121,49,49):all out(1,2,3,4):all");
}

// Loops within a guard go with it.
TEST(GuardWidening, WithLoopsInside) {
  const std::string loop =
      "  br label %l\nl:\n  %j = phi i32 [ 0, %a0 ], [ %k, %l ]\n  call void @A()\n"
      "  %k = add i32 %j, 1\n  %more = icmp ult i32 %k, 2\n  br i1 %more, label %l, label %m\nm:\n";
  const std::string body = guard(0, loop) + guard(1, callOf("B")) + last;
  EXPECT_TRUE(isCopied(body));
  EXPECT_EQ(trace(body, 8), "A:all A:all B:all C:all");
  EXPECT_EQ(trace(body, 5), "A:1110 A:1110 B:1100 C:all");
}

// Of `if (x < n) A; if (x >= n) B` no gang does both as a whole.
TEST(GuardWidening, OnlyOfTheSameBounds) {
  EXPECT_FALSE(isCopied(guard(0, callOf("A")) + guard(1, callOf("B"), "%n", "sge") + last));
  EXPECT_FALSE(isCopied(guard(0, callOf("A")) + guard(1, callOf("B"), "12") + last));
  EXPECT_FALSE(
      isCopied(guard(0, callOf("A"), "%n", "eq") + guard(1, callOf("B"), "%n", "eq") + last));
}

// A number of which nothing is known says nothing of other lanes.
TEST(GuardWidening, OnlyOfIndices) {
  const auto asks = [](const std::string &number) {
    return "  %v" + number + " = call i32 @value()\n";
  };
  std::string body = guard(0, callOf("A")) + guard(1, callOf("B")) + last;
  for (const std::string number : {"0", "1"}) {
    const std::string compare = "%c" + number + " = icmp slt i32 %i";
    body.replace(body.find("  " + compare), compare.size() + 2, asks(number) + "  " + compare);
    body.replace(body.find(compare), compare.size() + 1,
                 "%c" + number + " = icmp slt i32 %v" + number);
  }
  EXPECT_FALSE(isCopied(body));
}

TEST(GuardWidening, OneIsLeftToOthers) {
  EXPECT_FALSE(isCopied("g0:\n  br label %g1\n" + guard(1, callOf("B")) + last));
  EXPECT_FALSE(isCopied(guard(0, "  %v = add i32 %x, 1\n") + guard(1, callOf("B")) + last));
}

// With an else, each lane has something to do whichever way it goes.
TEST(GuardWidening, NotWithAnElse) {
  EXPECT_FALSE(isCopied("g0:\n  %c0 = icmp slt i32 %x, %n\n  br i1 %c0, label %a0, label %b0\n"
                        "a0:\n  call void @A()\n  br label %g1\nb0:\n  call void @D()\n"
                        "  br label %g1\n" +
                        guard(1, callOf("B")) + last));
}

// Two questions in one: all of it must be the same.
TEST(GuardWidening, OfTwoBounds) {
  const auto both = [](unsigned k, const std::string &inside, const std::string &other) {
    std::string text = guard(k, inside);
    const std::string number = std::to_string(k), branch = "  br i1 %c" + number;
    text.replace(text.find(branch), branch.size(),
                 "  %o" + number + " = icmp ult i32 %x, " + other + "\n  %b" + number +
                     " = and i1 %c" + number + ", %o" + number + "\n  br i1 %b" + number);
    return text;
  };
  EXPECT_FALSE(isCopied(both(0, callOf("A"), "3") + both(1, callOf("B"), "4") + last));
  const std::string body = both(0, callOf("A"), "3") + both(1, callOf("B"), "3") + last;
  EXPECT_TRUE(isCopied(body));
  EXPECT_EQ(trace(body, 9), "A:1110 B:1110 C:all");
}

// Behind a barrier, bounds are computed anew for each question.
TEST(GuardWidening, OfBoundsThatAreComputedTwice) {
  const auto again = [](unsigned k, const std::string &inside, const std::string &load) {
    const std::string number = std::to_string(k), bound = "%m" + number;
    std::string text = guard(k, inside, bound);
    return text.insert(text.find('\n') + 1,
                       "  %t" + number + " = " + load + " i32, ptr %p" +
                           (load == "load" ? ", !invariant.load !0" : "") + "\n  " + bound +
                           " = call i32 @llvm.smin.i32(i32 %t" + number + ", i32 %n)\n");
  };
  const std::string body = again(0, callOf("A"), "load") + again(1, callOf("B"), "load") + last;
  EXPECT_TRUE(isCopied(body));
  EXPECT_EQ(trace(body, 8), "C:all"); // the memory is zero
  const std::string changing =
      again(0, callOf("A"), "load volatile") + again(1, callOf("B"), "load volatile") + last;
  EXPECT_FALSE(isCopied(changing));
}

// Other branches come first, if not everything can be copied once more.
TEST(GuardWidening, AreMarkedForOtherCopies) {
  std::string body;
  for (unsigned k = 0; k < 12; ++k)
    body += guard(k, callOf(k % 2 ? "A" : "B"));
  body += "g12:\n  %odd = and i32 %x, 1\n  %is = icmp ne i32 %odd, 0\n"
          "  br i1 %is, label %d, label %end\nd:\n  call void @D()\n  br label %end\n"
          "end:\n  ret void\n";
  Ir ir(function(body));
  canonicalizeLoops(ir.function("f"));
  widenGuards(ir.function("f"), row(lanes));
  versionCoherentBranches(ir.function("f"), row(lanes));
  ir.verify();
  const std::string text = ir.text("f");
  EXPECT_EQ(count(text, "call void @D()"), 2u);
  EXPECT_GT(count(text, "call i1 @heddle.all("), 13u);
}

} // namespace
