// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divergent branches become masks (linearize.h); gangs whose lanes agree get code without them
// (coherent_branch_versioning.h). A gang of four executes the result: gang.h says how to read its
// trace.
#include "engine/compiler/simd/control/linearize.h"

#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "engine/compiler/simd/versioning/coherent_branch_versioning.h"
#include "simd/gang.h"
#include "simd/passes.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

constexpr unsigned lanes = 4;

// The body of a function with an argument %n and %x = threadIdx.x; its first block is %start.
std::string function(const std::string &body) {
  return declarations +
         "define void @f(i32 %n) {\nentry:\n"
         "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  br label %start\n" +
         body + "}\n";
}

enum class Copies { No, Coherent };

// Expects the pass to have changed nothing for any single thread.
void expectSameForThreads(const std::string &body, const Gang &gang, uint64_t n) {
  Ir ir(function(body));
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Gang thread(1, lane);
    thread.run(ir.function("f"), {n});
    EXPECT_EQ(gang.lane(lane), thread.lane(0)) << "lane " << lane;
  }
}

void transform(llvm::Function &code, Copies copies) {
  canonicalizeLoops(code);
  if (copies == Copies::Coherent)
    versionCoherentBranches(code, row(lanes));
  linearize(code, row(lanes));
}

std::string trace(const std::string &body, uint64_t n = 0, Copies copies = Copies::No) {
  Ir ir(function(body));
  transform(ir.function("f"), copies);
  ir.verify();
  Gang gang(lanes);
  std::string result = gang.run(ir.function("f"), {n});
  expectSameForThreads(body, gang, n);
  // Whether a mask of all lanes is written down matters only where the aim is to have none.
  for (size_t at = 0; copies == Copies::No && (at = result.find(":all")) != std::string::npos;)
    result.replace(at, 4, ":1111");
  return result;
}

// Which of two sides comes first is not promised.
void expectOneOf(const std::string &trace, const std::vector<std::string> &allowed) {
  EXPECT_NE(std::find(allowed.begin(), allowed.end(), trace), allowed.end()) << trace;
}

// ---- Ways that part and meet -------------------------------------------------------------------

const char *const if_else = "start:\n  %c = icmp ult i32 %x, %n\n  br i1 %c, label %a, label %b\n"
                            "a:\n  call void @A()\n  br label %end\n"
                            "b:\n  call void @B()\n  br label %end\n"
                            "end:\n  call void @C()\n  ret void\n";

// Both sides, one after the other, each for its lanes; then all lanes.
TEST(Linearize, IfElse) {
  expectOneOf(trace(if_else, 3), {"A:1110 B:0001 C:1111", "B:0001 A:1110 C:1111"});
}

// A side without lanes is skipped.
TEST(Linearize, SidesWithoutLanesAreSkipped) {
  EXPECT_EQ(trace(if_else, 0), "B:1111 C:1111");
  EXPECT_EQ(trace(if_else, 4), "A:1111 C:1111");
}

TEST(Linearize, If) {
  const char *body = "start:\n  %c = icmp ult i32 %x, %n\n  br i1 %c, label %a, label %end\n"
                     "a:\n  call void @A()\n  br label %end\n"
                     "end:\n  call void @B()\n  ret void\n";
  EXPECT_EQ(trace(body, 1), "A:1000 B:1111");
  EXPECT_EQ(trace(body, 0), "B:1111");
}

TEST(Linearize, Nested) {
  expectOneOf(trace("start:\n  %c = icmp ult i32 %x, 3\n  br i1 %c, label %a, label %end\n"
                    "a:\n  call void @A()\n  %d = icmp eq i32 %x, 1\n"
                    "  br i1 %d, label %b, label %other\n"
                    "b:\n  call void @B()\n  br label %join\n"
                    "other:\n  call void @C()\n  br label %join\n"
                    "join:\n  call void @A()\n  br label %end\n"
                    "end:\n  call void @D()\n  ret void\n"),
              {"A:1110 B:0100 C:1010 A:1110 D:1111", "A:1110 C:1010 B:0100 A:1110 D:1111"});
}

// A phi where ways meet: each lane has the value of its own way.
TEST(Linearize, PhisChooseByMask) {
  EXPECT_EQ(trace("start:\n  %c = icmp ult i32 %x, 2\n  br i1 %c, label %a, label %b\n"
                  "a:\n  %v = add i32 %x, 10\n  br label %end\n"
                  "b:\n  %w = mul i32 %x, 100\n  br label %end\n"
                  "end:\n  %r = phi i32 [ %v, %a ], [ %w, %b ]\n"
                  "  call void @out(i32 %r)\n  ret void\n"),
            "out(10,11,200,300):1111");
}

// Two ways into the same block, neither of which is the whole: `if (c || d) A`.
TEST(Linearize, LanesWaitForABlockThatOthersReachLater) {
  EXPECT_EQ(trace("start:\n  %c = icmp eq i32 %x, 0\n  br i1 %c, label %a, label %other\n"
                  "other:\n  call void @B()\n  %d = icmp eq i32 %x, 2\n"
                  "  br i1 %d, label %a, label %end\n"
                  "a:\n  %p = phi i32 [ 7, %start ], [ 8, %other ]\n  call void @out(i32 %p)\n"
                  "  br label %end\n"
                  "end:\n  call void @C()\n  ret void\n"),
            "B:0111 out(7,8):1010 C:1111");
}

// Some lanes return early. The others continue, and no block is executed without lanes.
TEST(Linearize, EarlyReturn) {
  const char *body = "start:\n  %c = icmp uge i32 %x, %n\n  br i1 %c, label %exit, label %a\n"
                     "a:\n  call void @A()\n  %d = icmp eq i32 %x, 0\n"
                     "  br i1 %d, label %exit, label %b\n"
                     "b:\n  call void @B()\n  br label %exit\n"
                     "exit:\n  ret void\n";
  EXPECT_EQ(trace(body, 3), "A:1110 B:0110");
  EXPECT_EQ(trace(body, 1), "A:1000");
  EXPECT_EQ(trace(body, 0), "");
}

// ---- Branches that all take together -----------------------------------------------------------

TEST(Linearize, UniformBranchesStay) {
  const char *body = "start:\n  %c = icmp ult i32 %n, 3\n  br i1 %c, label %a, label %b\n"
                     "a:\n  call void @A()\n  br label %end\n"
                     "b:\n  call void @B()\n  br label %end\n"
                     "end:\n  %r = phi i32 [ 1, %a ], [ 2, %b ]\n"
                     "  call void @out(i32 %r)\n  ret void\n";
  EXPECT_EQ(trace(body, 0), "A:1111 out(1):1111");
  EXPECT_EQ(trace(body, 5), "B:1111 out(2):1111");
  Ir ir(function(body));
  transform(ir.function("f"), Copies::No);
  expectNone(ir.text("f"), {"@heddle.mask", "@heddle.any", "select"});
}

// Inside code for some lanes, a branch that those take together is a branch still: only one side is
// executed.
TEST(Linearize, UniformBranchInsideDivergentCode) {
  const char *body = "start:\n  %c = icmp ult i32 %x, 2\n  br i1 %c, label %inside, label %end\n"
                     "inside:\n  %d = icmp eq i32 %n, 0\n  br i1 %d, label %a, label %b\n"
                     "a:\n  call void @A()\n  br label %join\n"
                     "b:\n  call void @B()\n  br label %join\n"
                     "join:\n  %r = phi i32 [ 1, %a ], [ 2, %b ]\n  call void @out(i32 %r)\n"
                     "  br label %end\n"
                     "end:\n  call void @C()\n  ret void\n";
  EXPECT_EQ(trace(body, 0), "A:1100 out(1):1100 C:1111");
  EXPECT_EQ(trace(body, 1), "B:1100 out(2):1100 C:1111");
}

// The same where one side leads out of the region at once: lanes that wait must not be forgotten.
TEST(Linearize, UniformBranchOutOfDivergentCode) {
  const char *body = "start:\n  %c = icmp ult i32 %x, 2\n  br i1 %c, label %inside, label %other\n"
                     "inside:\n  %d = icmp eq i32 %n, 0\n  br i1 %d, label %end, label %a\n"
                     "a:\n  call void @A()\n  br label %end\n"
                     "other:\n  call void @B()\n  br label %end\n"
                     "end:\n  call void @C()\n  ret void\n";
  EXPECT_EQ(trace(body, 0), "B:0011 C:1111");
  for (const char *piece : {"A:1100", "B:0011", "C:1111"})
    expectInOrder(trace(body, 1), {piece});
}

// ---- Loops -------------------------------------------------------------------------------------

// A loop goes round as long as any lane wants to; lanes that have left keep what they took along.
TEST(Linearize, LaneDependentTripCount) {
  EXPECT_EQ(trace("start:\n  br label %loop\n"
                  "loop:\n  %i = phi i32 [ 0, %start ], [ %next, %loop ]\n"
                  "  call void @out(i32 %i)\n  %next = add i32 %i, 1\n"
                  "  %go = icmp ule i32 %next, %x\n  br i1 %go, label %loop, label %end\n"
                  "end:\n  %last = phi i32 [ %next, %loop ]\n"
                  "  call void @out(i32 %last)\n  ret void\n"),
            "out(0):1111 out(1):0111 out(2):0011 out(3):0001 out(1,2,3,4):1111");
}

TEST(Linearize, UniformLoopsKeepTheirForm) {
  EXPECT_EQ(trace("start:\n  br label %loop\n"
                  "loop:\n  %i = phi i32 [ 0, %start ], [ %next, %loop ]\n"
                  "  call void @A()\n  %next = add i32 %i, 1\n"
                  "  %go = icmp ult i32 %next, %n\n  br i1 %go, label %loop, label %end\n"
                  "end:\n  ret void\n",
                  2),
            "A:1111 A:1111");
}

// while (true) { if (i == x) break; B; if (++i == n) goto late; } — two ways out.
TEST(Linearize, Break) {
  const char *body = "start:\n  br label %loop\n"
                     "loop:\n  %i = phi i32 [ 0, %start ], [ %next, %rest ]\n"
                     "  %c = icmp eq i32 %i, %x\n  br i1 %c, label %early, label %rest\n"
                     "rest:\n  call void @B()\n  %next = add i32 %i, 1\n"
                     "  %go = icmp slt i32 %next, %n\n  br i1 %go, label %loop, label %late\n"
                     "early:\n  call void @C()\n  br label %end\n"
                     "late:\n  call void @D()\n  br label %end\n"
                     "end:\n  %r = phi i32 [ %i, %early ], [ 9, %late ]\n"
                     "  call void @out(i32 %r)\n  ret void\n";
  const std::string two = trace(body, 2);
  expectInOrder(two, {"B:0111 B:0011 ", "out(0,1,9,9):1111"});
  expectInOrder(two, {"C:1100"});
  expectInOrder(two, {"D:0011"});
  expectInOrder(trace(body, 10), {"B:0111 B:0011 B:0001 C:1111 out(0,1,2,3):1111"});
}

// for (i < 3) { if (i == x) continue; A; } — lanes that skip the rest go on together with it.
TEST(Linearize, Continue) {
  EXPECT_EQ(trace("start:\n  br label %loop\n"
                  "loop:\n  %i = phi i32 [ 0, %start ], [ %next, %latch ]\n"
                  "  %c = icmp eq i32 %i, %x\n  br i1 %c, label %latch, label %rest\n"
                  "rest:\n  call void @A()\n  br label %latch\n"
                  "latch:\n  %next = add i32 %i, 1\n  call void @B()\n"
                  "  %go = icmp ult i32 %next, 3\n  br i1 %go, label %loop, label %end\n"
                  "end:\n  call void @C()\n  ret void\n"),
            "A:0111 B:1111 A:1011 B:1111 A:1101 B:1111 C:1111");
}

// A sum that lanes change in some rounds only.
TEST(Linearize, ValuesCarriedThroughMasksInLoops) {
  EXPECT_EQ(trace("start:\n  br label %loop\n"
                  "loop:\n  %i = phi i32 [ 0, %start ], [ %next, %latch ]\n"
                  "  %sum = phi i32 [ 0, %start ], [ %kept, %latch ]\n"
                  "  %c = icmp ult i32 %i, %x\n  br i1 %c, label %add, label %latch\n"
                  "add:\n  %more = add i32 %sum, 10\n  br label %latch\n"
                  "latch:\n  %kept = phi i32 [ %sum, %loop ], [ %more, %add ]\n"
                  "  %next = add i32 %i, 1\n"
                  "  %go = icmp ult i32 %next, 5\n  br i1 %go, label %loop, label %end\n"
                  "end:\n  %all = phi i32 [ %kept, %latch ]\n"
                  "  call void @out(i32 %all)\n  ret void\n"),
            "out(0,10,20,30):1111");
}

// for (i <= x) for (j <= x) — the inner loop begins anew for the lanes that are left.
TEST(Linearize, NestedLoops) {
  EXPECT_EQ(trace("start:\n  br label %outer\n"
                  "outer:\n  %i = phi i32 [ 0, %start ], [ %next, %latch ]\n  br label %inner\n"
                  "inner:\n  %j = phi i32 [ 0, %outer ], [ %more, %inner ]\n"
                  "  call void @out(i32 %j)\n  %more = add i32 %j, 2\n"
                  "  %again = icmp ule i32 %more, %x\n  br i1 %again, label %inner, label %latch\n"
                  "latch:\n  %next = add i32 %i, 2\n  call void @A()\n"
                  "  %go = icmp ule i32 %next, %x\n  br i1 %go, label %outer, label %end\n"
                  "end:\n  call void @C()\n  ret void\n"),
            "out(0):1111 out(2):0011 A:1111 out(0):0011 out(2):0011 A:0011 C:1111");
}

// A uniform loop inside divergent code is gone round with the lanes that are there; a value from
// it, used behind, belongs to them.
TEST(Linearize, LoopInsideDivergentCode) {
  EXPECT_EQ(trace("start:\n  %c = icmp ugt i32 %x, 1\n  br i1 %c, label %before, label %end\n"
                  "before:\n  br label %loop\n"
                  "loop:\n  %i = phi i32 [ 0, %before ], [ %next, %loop ]\n"
                  "  call void @A()\n  %next = add i32 %i, 1\n"
                  "  %go = icmp ult i32 %next, 2\n  br i1 %go, label %loop, label %behind\n"
                  "behind:\n  %left = phi i32 [ %next, %loop ]\n  br label %end\n"
                  "end:\n  %r = phi i32 [ 5, %start ], [ %left, %behind ]\n"
                  "  call void @out(i32 %r)\n  ret void\n"),
            "A:0011 A:0011 out(5,5,2,2):1111");
}

// ---- Gangs that stay together ------------------------------------------------------------------

// In all gangs but the last, `if (i < n)` holds for all lanes: code without masks.
const char *const guarded = "start:\n  %c = icmp ult i32 %x, %n\n  br i1 %c, label %a, label %end\n"
                            "a:\n  call void @A()\n  br label %end\n"
                            "end:\n  call void @B()\n  ret void\n";

TEST(CoherentBranchVersioning, GuardsThatHoldForAll) {
  EXPECT_EQ(trace(guarded, 4, Copies::Coherent), "A:all B:all");
  EXPECT_EQ(trace(guarded, 3, Copies::Coherent), "A:1110 B:all");
  EXPECT_EQ(trace(guarded, 0, Copies::Coherent), "B:all");
}

TEST(CoherentBranchVersioning, GuardsTheOtherWayRound) {
  const char *body = "start:\n  %c = icmp uge i32 %x, %n\n  br i1 %c, label %end, label %a\n"
                     "a:\n  call void @out(i32 %x)\n  br label %end\n"
                     "end:\n  %r = phi i32 [ 0, %start ], [ %x, %a ]\n  call void @out(i32 %r)\n"
                     "  ret void\n";
  EXPECT_EQ(trace(body, 4, Copies::Coherent), "out(0,1,2,3):all out(0,1,2,3):all");
  EXPECT_EQ(trace(body, 2, Copies::Coherent), "out(0,1):1100 out(0,1,0,0):all");
}

// A loop over elements ends for all lanes at once but in its last round.
TEST(CoherentBranchVersioning, LoopsUntilLanesPart) {
  const char *body = "start:\n  br label %loop\n"
                     "loop:\n  %i = phi i32 [ %x, %start ], [ %next, %loop ]\n"
                     "  call void @out(i32 %i)\n  %next = add i32 %i, 4\n"
                     "  %go = icmp ult i32 %next, %n\n  br i1 %go, label %loop, label %end\n"
                     "end:\n  %last = phi i32 [ %next, %loop ]\n"
                     "  call void @out(i32 %last)\n  ret void\n";
  EXPECT_EQ(trace(body, 8, Copies::Coherent), "out(0,1,2,3):all out(4,5,6,7):all "
                                              "out(8,9,10,11):all");
  EXPECT_EQ(trace(body, 10, Copies::Coherent), "out(0,1,2,3):all out(4,5,6,7):all "
                                               "out(8,9):1100 out(12,13,10,11):all");
  EXPECT_EQ(trace(body, 10), "out(0,1,2,3):1111 out(4,5,6,7):1111 "
                             "out(8,9):1100 out(12,13,10,11):1111");
}

// Code that costs nothing more under a mask is not made twice.
TEST(CoherentBranchVersioning, OnlyWhatAccessesMemoryIsCopied) {
  Ir ir(function("start:\n  %c = icmp ult i32 %x, %n\n  br i1 %c, label %a, label %end\n"
                 "a:\n  %v = add i32 %x, 1\n  br label %end\n"
                 "end:\n  %r = phi i32 [ 0, %start ], [ %v, %a ]\n  call void @out(i32 %r)\n"
                 "  ret void\n"));
  versionCoherentBranches(ir.function("f"), row(lanes));
  expectNone(ir.text("f"), {"@heddle.all"});
}

// if (c) v = p[x] for each lane: a load under a mask, of nothing if the mask is empty.
std::string loadingBlock(const std::string &load) {
  return "start:\n  %p = inttoptr i64 4096 to ptr\n  %wide = zext i32 %x to i64\n"
         "  %u = and i32 %x, 1\n  %c = icmp eq i32 %u, 0\n"
         "  br i1 %c, label %a, label %end\na:\n" +
         load +
         "  br label %end\nend:\n  %r = phi i8 [ 0, %start ], [ %v, %a ]\n"
         "  %z = zext i8 %r to i32\n  call void @out(i32 %z)\n  ret void\n";
}

const std::string neighbour = "  %e = getelementptr i8, ptr %p, i64 %wide\n"
                              "  %v = load i8, ptr %e, align 1\n";

bool testsForActiveLanes(const std::string &load, bool masks_bytes = true) {
  Ir ir(function(loadingBlock(load)));
  canonicalizeLoops(ir.function("f"));
  versionCoherentBranches(ir.function("f"), row(lanes), masks_bytes);
  linearize(ir.function("f"), row(lanes), masks_bytes);
  ir.verify();
  const std::string text = ir.text("f");
  EXPECT_GT(count(text, "@heddle.mask(i1"), 0u);
  return count(text, "call i1 @heddle.any(") + count(text, "call i1 @heddle.all(") > 0;
}

// One of the first lanes is always active, so that is not tested.
TEST(Linearize, FirstLanesNeedNoGuard) {
  const auto guards = [](const std::string &condition) {
    Ir ir("declare i32 @heddle.lane()\n" +
          function("start:\n  %l = call i32 @heddle.lane()\n  %c = icmp " + condition +
                   "\n  br i1 %c, label %a, label %end\na:\n  call void @A()\n  br label %end\n"
                   "end:\n  call void @B()\n  ret void\n"));
    llvm::Function &code = ir.function("f");
    canonicalizeLoops(code);
    linearize(code, row(lanes));
    ir.verify();
    return count(ir.text("f"), "@heddle.any(");
  };
  EXPECT_EQ(guards("ult i32 %l, 2"), 0u);
  EXPECT_EQ(guards("slt i32 %l, 1"), 0u);
  EXPECT_EQ(guards("ugt i32 %l, 2"), 1u);
  EXPECT_EQ(guards("ult i32 %l, %n"), 1u);
  EXPECT_EQ(guards("ult i32 %x, 2"), 1u);
}

TEST(Linearize, UnguardedLoads) {
  EXPECT_FALSE(testsForActiveLanes(neighbour));
  EXPECT_TRUE(testsForActiveLanes(neighbour, false));
  // From one address, or from unrelated ones: a lane must be active.
  EXPECT_TRUE(testsForActiveLanes("  %v = load i8, ptr %p, align 1\n"));
  EXPECT_TRUE(testsForActiveLanes("  %far = mul i64 %wide, %wide\n"
                                  "  %e = getelementptr i8, ptr %p, i64 %far\n"
                                  "  %v = load i8, ptr %e, align 1\n"));
  EXPECT_TRUE(testsForActiveLanes(neighbour + "  store i8 %v, ptr %p, align 1\n"));
  EXPECT_TRUE(testsForActiveLanes("  %e = getelementptr i8, ptr %p, i64 %wide\n"
                                  "  %v = load volatile i8, ptr %e, align 1\n"));
}

// Of a pointer that is not aligned a GPU refuses the access, but only if there is one.
TEST(Linearize, GuardedWhereAlignmentMatters) {
  const std::string words = "  %e = getelementptr i32, ptr %q, i64 %wide\n"
                            "  %w = load i32, ptr %e, align 4\n  %v = trunc i32 %w to i8\n";
  EXPECT_TRUE(testsForActiveLanes("  %q = getelementptr i8, ptr %p, i32 %n\n" + words));
}

// Of two sides the longer one is copied: it is what masks cost most in.
TEST(CoherentBranchVersioning, OneSideOfTwo) {
  const char *body = "start:\n  %c = icmp ult i32 %x, %n\n  br i1 %c, label %a, label %b\n"
                     "a:\n  call void @A()\n  br label %end\n"
                     "b:\n  call void @B()\n  call void @D()\n  br label %end\n"
                     "end:\n  %r = phi i32 [ 1, %a ], [ %x, %b ]\n  call void @out(i32 %r)\n"
                     "  ret void\n";
  EXPECT_EQ(trace(body, 0, Copies::Coherent), "B:all D:all out(0,1,2,3):all");
  EXPECT_EQ(trace(body, 4, Copies::Coherent), "A:1111 out(1):all");
  expectOneOf(trace(body, 2, Copies::Coherent),
              {"A:1100 B:0011 D:0011 out(1,1,2,3):all", "B:0011 D:0011 A:1100 out(1,1,2,3):all"});
}

TEST(CoherentBranchVersioning, TheOtherSideIfThatIsLonger) {
  const char *body = "start:\n  %c = icmp ult i32 %x, %n\n  br i1 %c, label %a, label %b\n"
                     "a:\n  call void @A()\n  call void @D()\n  br label %end\n"
                     "b:\n  call void @B()\n  br label %end\n"
                     "end:\n  call void @C()\n  ret void\n";
  EXPECT_EQ(trace(body, 4, Copies::Coherent), "A:all D:all C:all");
  EXPECT_EQ(trace(body, 0, Copies::Coherent), "B:1111 C:all");
}

// A side with nothing to gain is not copied, nor is the other one then.
TEST(CoherentBranchVersioning, NeitherIfTheLongerSideHasNoAccess) {
  Ir ir(function("start:\n  %c = icmp ult i32 %x, %n\n  br i1 %c, label %a, label %b\n"
                 "a:\n  %v = mul i32 %x, %x\n  %w = mul i32 %v, %v\n  br label %end\n"
                 "b:\n  call void @B()\n  br label %end\n"
                 "end:\n  %r = phi i32 [ %w, %a ], [ 0, %b ]\n  call void @out(i32 %r)\n"
                 "  ret void\n"));
  versionCoherentBranches(ir.function("f"), row(lanes));
  expectNone(ir.text("f"), {"@heddle.all"});
}

// The last gang of a block may have fewer threads, and a gang may go on in parts: those that are
// not there execute nothing.
TEST(CoherentBranchVersioning, GangsThatAreNotComplete) {
  for (const Copies copies : {Copies::No, Copies::Coherent}) {
    Ir ir(function(guarded));
    llvm::Function &code = ir.function("f");
    guardActive(code);
    transform(code, copies);
    ir.verify();
    EXPECT_EQ(Gang(lanes).run(code, {4}, 0b0111), "A:1110 B:1110");
    EXPECT_EQ(Gang(lanes).run(code, {1}, 0b1110), "B:0111");
    EXPECT_EQ(Gang(lanes).run(code, {4}, 0b1111),
              copies == Copies::Coherent ? "A:all B:all" : "A:1111 B:1111");
  }
}

} // namespace
