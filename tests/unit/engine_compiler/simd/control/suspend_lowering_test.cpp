// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where threads wait for others (suspend_points.h), and how the code is left and entered again
// there (suspend_lowering.h). A gang of eight executes the result: gang.h says how to read its
// trace.
#include "engine/compiler/simd/control/suspend_lowering.h"

#include "engine/abi.h"
#include "engine/compiler/simd/analysis/suspend_points.h"
#include "engine/compiler/simd/control/linearize.h"
#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "engine/compiler/simd/plan/gang_width.h"
#include "engine/compiler/simd/versioning/coherent_branch_versioning.h"
#include "simd/gang.h"
#include "simd/passes.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

constexpr unsigned lanes = 8;

// A function with the gang's context, memory %p and %q, a number %n and %x = threadIdx.x.
std::string function(const std::string &body) {
  return declarations +
         "declare i32 @llvm.nvvm.barrier0.popc(i32)\ndeclare i32 @llvm.nvvm.barrier0.and(i32)\n"
         "declare i32 @llvm.nvvm.barrier0.or(i32)\ndeclare void @llvm.nvvm.barrier.sync(i32)\n"
         "declare void @llvm.nvvm.barrier.sync.cnt(i32, i32)\ndeclare void @__heddle_grid_sync()\n"
         "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)\n"
         "declare i1 @llvm.nvvm.vote.any.sync(i32, i1)\ndeclare void "
         "@llvm.nvvm.bar.warp.sync(i32)\n"
         "declare i32 @llvm.nvvm.activemask()\n"
         "define void @f(ptr %gang, ptr %p, ptr %q, i32 %n) {\nentry:\n"
         "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
         body + "}\n!0 = !{}\n";
}

// ---- Where threads wait ------------------------------------------------------------------------

std::string inserted(const std::string &body, const LaneLayout &layout = row(32)) {
  Ir ir(function(body));
  canonicalizeLoops(ir.function("f"));
  markSuspendPoints(ir.function("f"), layout);
  ir.verify();
  return ir.text("f");
}

std::string suspension(Suspension kind, const std::string &operands = "i32 0, i32 0, i32 0") {
  return "call ptr @heddle.suspend(i32 0, i32 " + std::to_string(uint32_t(kind)) + ", " + operands +
         ")";
}

std::string field(size_t offset) { return "i64 " + std::to_string(offset); }

// PTX ISA, "bar": the barrier's number, and how many threads take part (0: all).
TEST(SuspendPoints, AtBarriers) {
  const auto barrier = [](const char *call) {
    return inserted(std::string("  call void @") + call + "\n  ret void\n");
  };
  using enum Suspension;
  expectInOrder(barrier("llvm.nvvm.barrier0()"), {suspension(Barrier)});
  expectInOrder(barrier("llvm.nvvm.barrier.sync(i32 3)"),
                {suspension(Barrier, "i32 3, i32 0, i32 0")});
  expectInOrder(barrier("llvm.nvvm.barrier.sync.cnt(i32 3, i32 64)"),
                {suspension(Barrier, "i32 3, i32 64, i32 0")});
  expectInOrder(barrier("__heddle_grid_sync()"), {suspension(GridBarrier)});
  expectNone(barrier("llvm.nvvm.barrier0()"), {"llvm.nvvm.barrier0"});
}

// All have come when the gang has, if it is the block. What is written before stays before it.
TEST(SuspendPoints, NotAtBarriersOfWholeBlocks) {
  const LaneLayout whole = layoutFor(parseVariant("simd:16x64:whole"), 64, false);
  const std::string text = inserted("  store i32 1, ptr %p\n  call void @llvm.nvvm.barrier0()\n"
                                    "  call void @llvm.nvvm.barrier.sync(i32 0)\n  ret void\n",
                                    whole);
  expectInOrder(text, {"store i32 1", "fence syncscope(\"singlethread\") seq_cst",
                       "fence syncscope(\"singlethread\") seq_cst", "ret void"});
  expectNone(text, {"heddle.suspend", "barrier"});
  // A part of the block may not pass alone, nor are these mere meetings.
  for (const char *call : {"  call void @llvm.nvvm.barrier.sync.cnt(i32 0, i32 32)\n",
                           "  call void @__heddle_grid_sync()\n",
                           "  %r = call i32 @llvm.nvvm.barrier0.popc(i32 %x)\n"})
    expectInOrder(inserted(std::string(call) + "  ret void\n", whole), {"@heddle.suspend"});
  expectInOrder(inserted("  call void @llvm.nvvm.barrier0()\n  ret void\n",
                         layoutFor(parseVariant("simd:16x64:whole"), 32, false)),
                {"@heddle.suspend"});
}

// … unless its lanes may part: then some may be at a barrier while others are not.
TEST(SuspendPoints, AtBarriersOfWholeBlocksThatMayPart) {
  const LaneLayout whole = layoutFor(parseVariant("simd:16x64:whole"), 64, false);
  const std::string text =
      inserted("  %c = icmp slt i32 %x, %n\n  br i1 %c, label %a, label %b\n"
               "a:\n  call void @llvm.nvvm.bar.warp.sync(i32 1)\n  br label %b\n"
               "b:\n  call void @llvm.nvvm.barrier0()\n  ret void\n",
               whole);
  expectInOrder(text, {"@heddle.together", suspension(Suspension::Barrier)});
  const std::string apart = inserted("  %c = icmp slt i32 %x, %n\n  br i1 %c, label %a, label %b\n"
                                     "a:\n  call void @llvm.nvvm.barrier0()\n  br label %b\n"
                                     "b:\n  call void @llvm.nvvm.barrier0()\n  ret void\n",
                                     whole);
  EXPECT_EQ(count(apart, suspension(Suspension::Barrier)), 2u);
}

// __syncthreads_count and its kin: each thread hands in its part, and all get the block's answer.
TEST(SuspendPoints, AtBarriersThatReduce) {
  const std::pair<const char *, BarrierReduction> forms[] = {{"popc", BarrierReduction::Count},
                                                             {"and", BarrierReduction::And},
                                                             {"or", BarrierReduction::Or}};
  for (auto [name, reduction] : forms)
    expectInOrder(inserted(std::string("  %r = call i32 @llvm.nvvm.barrier0.") + name +
                           "(i32 %x)\n  call void @out(i32 %r)\n  ret void\n"),
                  {"@heddle.request()", "store i64",
                   suspension(Suspension::Barrier,
                              "i32 0, i32 0, i32 " + std::to_string(uint32_t(reduction))),
                   field(offsetof(WarpRequest, result)), "load i32", "@heddle.first(",
                   "call void @out"});
}

// Where a warp is together, its operations need no waiting.
TEST(SuspendPoints, NotAtWarpOperationsOfWholeWarps) {
  expectNone(
      inserted("  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %x, i32 0, i32 31)\n"
               "  call void @out(i32 %s)\n  ret void\n"),
      {"@heddle.suspend", "@heddle.together"});
}

// Nor do lanes that are all of the mask, in every warp of the block.
TEST(SuspendPoints, NotAtWarpOperationsOfAllLanesThatCome) {
  const auto waits = [](const std::string &condition, const std::string &mask,
                        const LaneLayout &layout = row(32)) {
    const std::string text =
        inserted("  %l = and i32 %x, 31\n  %at = getelementptr i32, ptr %p, i32 %x\n  %d = load "
                 "i32, ptr %at\n  %c = icmp " +
                     condition +
                     "\n  br i1 %c, label %a, label %b\n"
                     "a:\n  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 " +
                     mask +
                     ", i32 %x, i32 3, i32 31)\n  call void @out(i32 %s)\n  br label %b\n"
                     "b:\n  ret void\n",
                 layout);
    return text.find("@heddle.suspend") != std::string::npos;
  };
  EXPECT_FALSE(waits("ult i32 %x, 8", "255"));
  EXPECT_FALSE(waits("ult i32 %l, 8", "255"));
  EXPECT_FALSE(waits("eq i32 %x, 0", "1"));
  EXPECT_FALSE(waits("uge i32 %l, 30", "-1073741824"));
  EXPECT_TRUE(waits("ult i32 %x, 8", "-1"));
  EXPECT_TRUE(waits("ult i32 %x, 8", "15"));
  EXPECT_TRUE(waits("ult i32 %x, 40", "255")); // all of the first warp, some of the second
  EXPECT_TRUE(waits("ult i32 %x, %d", "255"));
  EXPECT_TRUE(waits("ult i32 %d, 8", "255"));
  LaneLayout partial = row(32); // where threads may not be there
  partial.full = false;
  EXPECT_TRUE(waits("ult i32 %x, 8", "255", partial));
}

// In divergent code the other lanes of the mask may be elsewhere, and come to the same operation or
// to another one. If they are all here, it is done at once; else each hands in its part and waits.
TEST(SuspendPoints, AtWarpOperationsInDivergentCode) {
  const std::string text =
      inserted("  %c = icmp slt i32 %x, %n\n  br i1 %c, label %a, label %b\n"
               "a:\n  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %x, i32 3, i32 31)\n"
               "  call void @out(i32 %s)\n  br label %b\n"
               "b:\n  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n  ret void\n");
  expectInOrder(text, {"@heddle.together(i32 -1)", "br i1",
                       "@llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %x, i32 3, i32 31)"});
  const auto collective = [](WarpOperation operation, uint32_t mode) {
    return suspension(Suspension::Collective, "i32 " + std::to_string(uint32_t(operation)) +
                                                  ", i32 " + std::to_string(mode) + ", i32 0");
  };
  for (size_t offset :
       {offsetof(WarpRequest, mask), offsetof(WarpRequest, lane), offsetof(WarpRequest, clamp)})
    expectInOrder(text, {"@heddle.together", "@heddle.request()", field(offset), "store i32",
                         collective(WarpOperation::Shuffle, uint32_t(ShuffleMode::Index)),
                         field(offsetof(WarpRequest, result)), "load i32"});
  expectInOrder(text, {"phi i32", "call void @out"});
  // The __syncwarp behind it, which all come to, may find others waiting: it asks as well.
  const std::string behind = text.substr(text.find("call void @out"));
  expectInOrder(behind, {"@heddle.together(i32 -1)"});
  expectInOrder(behind, {collective(WarpOperation::Sync, 0)});
}

// Threads that wait for earlier blocks each by itself part there, and not before; at a barrier of
// the block, and at an operation of the whole warp, they are together again.
TEST(SuspendPoints, AtWarpOperationsOnlyWhereLanesMayHaveParted) {
  const std::string vote = "  %NAME = call i1 @llvm.nvvm.vote.any.sync(i32 MASK, i1 %c)\n";
  const auto any = [&](const std::string &name, const std::string &mask) {
    std::string text = vote;
    text.replace(text.find("NAME"), 4, name);
    text.replace(text.find("MASK"), 4, mask);
    return text;
  };
  const auto body = [&](const std::string &behind) {
    return "  %c = icmp slt i32 %x, %n\n" + any("before", "-1") +
           "  %at = getelementptr i32, ptr %p, i32 %x\n  br label %loop\n"
           "loop:\n  %v = load volatile i32, ptr %at\n  %go = icmp eq i32 %v, 0\n"
           "  br i1 %go, label %loop, label %end\n"
           "end:\n" +
           behind + "  ret void\n";
  };
  const auto asked = [&](const std::string &behind) {
    return count(inserted(body(behind)), "call i1 @heddle.together");
  };
  EXPECT_EQ(asked(""), 0u);
  EXPECT_EQ(asked(any("a", "-1")), 1u);
  EXPECT_EQ(asked("  call void @llvm.nvvm.barrier0()\n" + any("a", "-1")), 0u);
  EXPECT_EQ(asked(any("a", "-1") + any("b", "3")), 1u);
  EXPECT_EQ(asked(any("a", "3") + any("b", "-1")), 2u);
  // Lanes that have looked at different times may have seen different things.
  const std::string looks = "  %w = load volatile i32, ptr %q\n";
  EXPECT_EQ(asked("  call void @llvm.nvvm.barrier0()\n" + looks + any("a", "-1")), 0u);
  EXPECT_EQ(asked(looks + "  call void @llvm.nvvm.barrier0()\n" + any("a", "-1")), 1u);
  // A barrier of some threads does not bring all of them together.
  EXPECT_EQ(asked("  call void @llvm.nvvm.barrier.sync.cnt(i32 0, i32 64)\n" + any("a", "-1")), 1u);
}

// The block's answer at a barrier is the same for all threads, so no branch that asks it parts
// them.
TEST(SuspendPoints, NotBehindAnswersOfTheBlock) {
  for (const char *kind : {"or", "and", "popc"})
    expectNone(inserted(std::string("  %r = call i32 @llvm.nvvm.barrier0.") + kind +
                        "(i32 %x)\n  %c = icmp eq i32 %r, 0\n  br i1 %c, label %a, label %b\n"
                        "a:\n  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n  br label %b\n"
                        "b:\n  ret void\n"),
               {"@heddle.together"});
}

// ---- Loops that wait for other threads ---------------------------------------------------------

std::string loop(const std::string &body) {
  return "  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %next, %latch ]\n"
         "  %next = add i32 %i, 1\n" +
         body + "end:\n  ret void\n";
}

std::string latch(const std::string &code) {
  return "  br label %latch\nlatch:\n" + code + "  br i1 %go, label %loop, label %end\n";
}

bool waits(const std::string &body) {
  Ir ir(function(loop(body)));
  canonicalizeLoops(ir.function("f"));
  const bool found = hasWaitingLoops(ir.function("f"));
  const std::string text = inserted(loop(body));
  EXPECT_EQ(text.find(suspension(Suspension::Yield)) != std::string::npos, found) << text;
  return found;
}

// Loops whose end depends on what others write: locks, flags, tickets.
TEST(SuspendPoints, InLoopsThatEndByWhatOthersDo) {
  const std::string until_set = latch("  %go = icmp eq i32 %v, 0\n");
  EXPECT_TRUE(waits("  %v = load volatile i32, ptr %p\n" + until_set));
  EXPECT_TRUE(waits("  %v = load atomic i32, ptr %p acquire, align 4\n" + until_set));
  EXPECT_TRUE(waits("  %v = atomicrmw or ptr %p, i32 0 seq_cst\n" + until_set));
  EXPECT_TRUE(waits("  %t = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst\n"
                    "  %v = extractvalue {i32, i1} %t, 0\n" +
                    latch("  %go = icmp ne i32 %v, 0\n")));
}

// `bool done = false; while (!done) { if (atomicCAS(…) == 0) done = true; }`
TEST(SuspendPoints, InLoopsThatEndByWayOfABranch) {
  EXPECT_TRUE(waits("  %v = atomicrmw xchg ptr %p, i32 1 seq_cst\n"
                    "  %c = icmp eq i32 %v, 0\n  br i1 %c, label %got, label %not\n"
                    "got:\n  call void @A()\n  br label %join\nnot:\n  br label %join\n"
                    "join:\n  %go = phi i1 [ false, %got ], [ true, %not ]\n  br label %latch\n"
                    "latch:\n  br i1 %go, label %loop, label %end\n"));
}

// Atomics in an ordinary loop (a histogram, say) tell it nothing about when to end.
TEST(SuspendPoints, NotInOrdinaryLoops) {
  const std::string counted = latch("  %go = icmp slt i32 %next, %n\n");
  EXPECT_FALSE(waits(counted));
  EXPECT_FALSE(waits("  %v = atomicrmw add ptr %p, i32 1 seq_cst\n" + counted));
  EXPECT_FALSE(waits("  %v = load volatile i32, ptr %p\n  call void @out(i32 %v)\n" + counted));
  // A branch in the middle asks what others did, but each round comes to the end all the same.
  EXPECT_FALSE(waits("  %v = atomicrmw add ptr %p, i32 1 seq_cst\n  %c = icmp eq i32 %v, 0\n"
                     "  br i1 %c, label %a, label %latch\na:\n  call void @A()\n" +
                     counted));
  // What plain loads see does not change by itself (CUDA guide, "Volatile Qualifier").
  EXPECT_FALSE(waits("  %v = load i32, ptr %p\n" + latch("  %go = icmp eq i32 %v, 0\n")));
}

// ---- Leaving and entering again ----------------------------------------------------------------

struct Split {
  explicit Split(const std::string &body, uint64_t frame_bytes = 0) : ir(function(body)) {
    canonicalizeLoops(code());
    result = lowerSuspendPoints(code(), row(lanes), frame_bytes);
    ir.verify();
  }
  llvm::Function &code() { return ir.function("f"); }
  // Bytes in each group's record for values, and in the frame.
  uint64_t recorded() const { return result.record_bytes - sizeof(GroupRecord); }
  std::string trace(uint64_t n = 0) { return Gang(lanes).run(code(), {n}); }
  // Where lanes may part, masks are needed to execute it.
  std::string maskedTrace(uint64_t n = 0) {
    guardActive(code());
    linearize(code(), row(lanes));
    ir.verify();
    return trace(n);
  }
  Ir ir;
  SuspensionResult result;
};

const std::string barrier = "  call void @llvm.nvvm.barrier0()\n";

TEST(SuspendLowering, CodeThatNeverWaitsStaysAsItIs) {
  Split split("  call void @A()\n  ret void\n", 40);
  EXPECT_EQ(split.result.states, 0u);
  EXPECT_FALSE(split.result.diverged);
  expectNone(split.ir.text("f"), {"@heddle."});
}

TEST(SuspendLowering, EachPlaceToWaitIsAState) {
  Split split("  call void @A()\n" + barrier + "  call void @B()\n" + barrier +
              "  call void @C()\n  ret void\n");
  EXPECT_GT(split.result.states, 0u);
  EXPECT_FALSE(split.result.diverged);
  EXPECT_EQ(split.recorded(), 0u);
  EXPECT_EQ(split.trace(), "A:all barrier:all B:all barrier:all C:all");
  expectInOrder(split.ir.text("f"), {"@heddle.state()"});
  expectInOrder(split.ir.text("f"), {"@heddle.suspend(i32 1, "});
  expectInOrder(split.ir.text("f"), {"@heddle.suspend(i32 2, "});
}

// A value that is the same for the gang is kept once, in the group's record.
TEST(SuspendLowering, UniformValuesAreInTheRecord) {
  Split split("  store i32 %n, ptr %p\n  %v = load i32, ptr %p\n" + barrier +
                  "  call void @out(i32 %v)\n  ret void\n",
              40);
  EXPECT_EQ(split.recorded(), 8u); // 4, in units of 8
  EXPECT_EQ(split.result.frame_bytes, 40u);
  EXPECT_EQ(split.trace(17), "barrier:all out(17):all");
}

// Records lie at multiples of 8, where numbers of 128 bits may not be taken to be aligned.
TEST(SuspendLowering, RecordsAreAlignedToEightBytes) {
  Split split("  %v = load i128, ptr %p\n" + barrier +
              "  store i128 %v, ptr %q\n  call void @A()\n  ret void\n");
  EXPECT_EQ(split.recorded(), 16u);
  const std::string code = split.ir.text("f");
  expectInOrder(code, {"load i128, ptr %p, align 16", "store i128 %v, ptr %", ", align 8"});
  expectInOrder(code, {"@heddle.resumed()", "load i128, ptr %", ", align 8", "store i128 %v",
                       ", ptr %q, align 16"});
}

// Others have a place for each lane in the gang's frame, behind what is there.
TEST(SuspendLowering, VaryingValuesAreInTheFrame) {
  Split split("  %e = getelementptr i32, ptr %p, i32 %x\n  %s = mul i32 %x, %x\n"
              "  store i32 %s, ptr %e\n  %v = load i32, ptr %e\n" +
                  barrier + "  store i32 0, ptr %e\n  call void @out(i32 %v)\n  ret void\n",
              40);
  EXPECT_EQ(split.recorded(), 0u);
  EXPECT_EQ(split.result.frame_bytes, 64u + 4 * lanes);
  EXPECT_EQ(split.trace(), "barrier:all out(0,1,4,9,16,25,36,49):all");
}

// Lanes' places are elements of an array, so that they are known to be aligned if the frame is: a
// question at each barrier would be work that every gang has.
TEST(SuspendLowering, PlacesInTheFrameAreKnownToBeAligned) {
  Split split("  %e = getelementptr i32, ptr %p, i32 %x\n  %v = load i32, ptr %e\n" + barrier +
              "  call void @out(i32 %v)\n  ret void\n");
  const std::string text = split.ir.text("f");
  expectInOrder(text, {"call ptr @heddle.frame()", "getelementptr i32, ptr %", "store i32 %v"});
  expectNone(text, {"mul i64"});
}

// It stays there until the last state that needs it.
TEST(SuspendLowering, VaryingValuesAreKeptOnce) {
  Split split("  %e = getelementptr i32, ptr %p, i32 %x\n  %s = mul i32 %x, %x\n"
              "  store i32 %s, ptr %e\n  %v = load i32, ptr %e\n" +
              barrier + "  call void @A()\n" + barrier + "  call void @B()\n" + barrier +
              "  call void @out(i32 %v)\n  ret void\n");
  const std::string text = split.ir.text("f");
  EXPECT_EQ(count(text, "store i32 %v, "), 1u);
  EXPECT_EQ(count(text, "store i32 "), 2u);
  EXPECT_EQ(split.trace(),
            "barrier:all A:all barrier:all B:all barrier:all out(0,1,4,9,16,25,36,49):all");
}

// Where hundreds are kept, each has a place from its definition to its last use: it is neither
// loaded where it is not needed nor copied from record to record.
TEST(SuspendLowering, ManyValuesStayInTheirPlaces) {
  const auto split = [](unsigned count) {
    std::string loads, uses;
    for (unsigned i = 0; i < count; ++i) {
      const std::string n = std::to_string(i);
      loads += "  %p" + n + " = getelementptr i32, ptr %p, i32 " + n + "\n  %u" + n +
               " = load i32, ptr %p" + n + "\n  %e" + n +
               " = getelementptr [999 x i32], ptr %q, i32 " + "%x, i32 " + n + "\n  %v" + n +
               " = load i32, ptr %e" + n + "\n";
      uses += "  call void @out(i32 %u" + n + ")\n  call void @out(i32 %v" + n + ")\n";
    }
    return Split(loads + barrier + "  call void @A()\n" + barrier + "  call void @B()\n" + uses +
                 "  ret void\n");
  };
  Split few = split(10), many = split(200);
  EXPECT_FALSE(few.result.keeps_record);
  EXPECT_EQ(count(few.ir.text("f"), "store i32 %u0, "), 1u); // and what was loaded from there
  EXPECT_EQ(count(few.ir.text("f"), " = load i32, "), 2u * 10 * 3);
  EXPECT_EQ(count(few.ir.text("f"), "store i32 "), 10u * 2 + 10);
  EXPECT_TRUE(many.result.keeps_record);
  const std::string text = many.ir.text("f");
  EXPECT_EQ(count(text, " = load i32, "), 2u * 200 * 2);
  EXPECT_EQ(count(text, "store i32 "), 200u * 2);
  expectInOrder(text, {"@A()"});
  expectInOrder(text, {"@B()", " = load i32, ", "@out(", " = load i32, ", "@out("});
}

TEST(SuspendLowering, BitsAreKeptAsBytes) {
  Split split("  %e = getelementptr i32, ptr %p, i32 %x\n  %s = and i32 %x, 1\n"
              "  store i32 %s, ptr %e\n  %l = load i32, ptr %e\n  %v = icmp eq i32 %l, 0\n" +
              barrier + "  %w = zext i1 %v to i32\n  call void @out(i32 %w)\n  ret void\n");
  EXPECT_EQ(split.trace(), "barrier:all out(1,0,1,0,1,0,1,0):all");
}

// Of an index that grows from lane to lane (a grid-stride loop's, say), one number is enough.
TEST(SuspendLowering, AffineValuesAreInTheRecord) {
  Split split("  br label %loop\nloop:\n  %i = phi i32 [ %x, %entry ], [ %next, %loop ]\n"
              "  %k = phi i32 [ 0, %entry ], [ %more, %loop ]\n" +
              barrier +
              "  call void @out(i32 %i)\n  %next = add i32 %i, 8\n  %more = add i32 %k, 1\n"
              "  %go = icmp ult i32 %more, %n\n  br i1 %go, label %loop, label %end\n"
              "end:\n  ret void\n");
  EXPECT_EQ(split.result.frame_bytes, 0u);
  EXPECT_EQ(split.recorded(), 8u); // %i and %k
  EXPECT_EQ(split.trace(2), "barrier:all out(0,1,2,3,4,5,6,7):all "
                            "barrier:all out(8,9,10,11,12,13,14,15):all");
}

// threadIdx, parameters and what follows from them in a few steps is computed again.
TEST(SuspendLowering, WhatIsCheapIsComputedAgain) {
  Split split("  %a = load i32, ptr %q, !invariant.load !0\n  %b = mul i32 %x, %x\n"
              "  %c = add i32 %a, %b\n" +
              barrier + "  call void @out(i32 %c)\n  ret void\n");
  EXPECT_EQ(split.recorded(), 0u);
  EXPECT_EQ(split.result.frame_bytes, 0u);
  EXPECT_EQ(split.trace(), "barrier:all out(0,1,4,9,16,25,36,49):all");
}

// Whether an index is within bounds is asked anew, which takes scalars, wherever it is used: also
// in a loop, to which a gang comes from its start and from the barrier.
TEST(SuspendLowering, BoundsAreAskedAgain) {
  Split split("  %t = add nsw i32 %x, 5\n  %c = icmp slt i32 %t, %n\n  %d = icmp sgt i32 %t, 5\n"
              "  %inside = and i1 %c, %d\n  br label %loop\nloop:\n"
              "  %i = phi i32 [ 0, %entry ], [ %next, %latch ]\n"
              "  br i1 %inside, label %a, label %meet\na:\n  call void @out(i32 %x)\n"
              "  br label %meet\nmeet:\n" +
              barrier +
              "  br i1 %inside, label %b, label %latch\nb:\n  call void @B()\n  br label %latch\n"
              "latch:\n  %next = add i32 %i, 1\n  %go = icmp ult i32 %next, 2\n"
              "  br i1 %go, label %loop, label %end\nend:\n  ret void\n");
  EXPECT_EQ(split.result.frame_bytes, 0u);
  expectNone(split.ir.text("f"), {"phi i1"});
  const std::string round = "out(1,2,3):01110000 barrier:11111111 B:01110000";
  EXPECT_EQ(split.maskedTrace(9), round + " " + round);
}

// Such as `valid = min(TILE, n - first)`: two scalars, not a mask for each question.
TEST(SuspendLowering, TheLesserOfTwoBoundsIsAskedAgain) {
  Split split("  %b = call i32 @llvm.smin.i32(i32 %n, i32 6)\n"
              "  %t = add nsw i32 %x, 1\n  %c = icmp slt i32 %t, %b\n" +
              barrier +
              "  br i1 %c, label %a, label %end\na:\n  call void @A()\n  br label %end\n"
              "end:\n  ret void\n");
  EXPECT_EQ(split.result.frame_bytes, 0u);
  EXPECT_EQ(split.maskedTrace(4), "barrier:11111111 A:11100000");
  EXPECT_EQ(split.maskedTrace(9), "barrier:11111111 A:11111000");
}

// Of numbers without an order, each lane keeps its answer.
TEST(SuspendLowering, OtherConditionsAreKept) {
  Split split("  %v = load i32, ptr %q\n  %w = mul i32 %v, %x\n  %c = icmp slt i32 %w, %n\n" +
              barrier + "  %z = zext i1 %c to i32\n  call void @out(i32 %z)\n  ret void\n");
  EXPECT_EQ(split.result.frame_bytes, 8u);
}

TEST(SuspendLowering, WhatIsNotNeededLaterIsNotKept) {
  Split split("  %v = load i32, ptr %p\n  call void @out(i32 %v)\n" + barrier + "  ret void\n");
  EXPECT_EQ(split.recorded(), 0u);
}

// The state begins in the middle of the loop, with what it had counted.
TEST(SuspendLowering, BarriersInLoops) {
  Split split("  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
              "  call void @A()\n" +
              barrier +
              "  call void @out(i32 %i)\n  %next = add i32 %i, 1\n"
              "  %go = icmp ult i32 %next, %n\n  br i1 %go, label %loop, label %end\n"
              "end:\n  call void @B()\n  ret void\n");
  EXPECT_FALSE(split.result.diverged);
  EXPECT_EQ(split.trace(3), "A:all barrier:all out(0):all A:all barrier:all out(1):all "
                            "A:all barrier:all out(2):all B:all");
}

// A number of each lane that rounds with two barriers add to.
const std::string two_barriers =
    "  %e = getelementptr i32, ptr %p, i32 %x\n  store i32 %x, ptr %e\n"
    "  %first = load i32, ptr %e\n  br label %loop\n"
    "loop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
    "  %s = phi i32 [ %first, %entry ], [ %t, %loop ]\n" +
    barrier + "  %one = load i32, ptr %e\n  %t = add i32 %s, %one\n";
const std::string next_round = barrier + "  %next = add i32 %i, 1\n"
                                         "  %go = icmp ult i32 %next, %n\n"
                                         "  br i1 %go, label %loop, label %end\n"
                                         "end:\n  call void @out(i32 %t)\n  ret void\n";

// It needs one place, and is stored there when it is set and when it has changed.
TEST(SuspendLowering, SumsOfRoundsAreSavedWhereTheyChange) {
  Split split(two_barriers + next_round);
  EXPECT_EQ(split.result.frame_bytes, 4u * lanes);
  const std::string text = split.ir.text("f");
  EXPECT_EQ(count(text, "store i32 %first, ptr"), 1u);
  EXPECT_EQ(count(text, "store i32 %t, ptr"), 1u);
  EXPECT_EQ(count(text, "store i32 "), 5u); // with %x, and the round's number at both barriers
  EXPECT_EQ(split.trace(3), "barrier:all barrier:all barrier:all barrier:all barrier:all "
                            "barrier:all out(0,4,8,12,16,20,24,28):all");
}

// If both are needed at one barrier, each has a place.
TEST(SuspendLowering, SumsOfRoundsAreApartIfBothAreNeeded) {
  Split split(two_barriers + barrier + "  call void @out(i32 %s)\n" + next_round);
  EXPECT_EQ(split.result.frame_bytes, 64u + 4 * lanes);
  expectInOrder(split.trace(2), {"out(0,1,2,3,4,5,6,7):all", "out(0,2,4,6,8,10,12,14):all",
                                 "out(0,3,6,9,12,15,18,21):all"});
}

// Lanes that wait in divergent code are a group; the others go on without them.
TEST(SuspendLowering, PartsOfAGangWait) {
  Split split("  %c = icmp ult i32 %x, 3\n  br i1 %c, label %a, label %end\n"
              "a:\n  call void @A()\n" +
              barrier + "  call void @B()\n  br label %end\nend:\n  call void @C()\n  ret void\n");
  EXPECT_TRUE(split.result.diverged);
  EXPECT_EQ(split.maskedTrace(), "A:11100000 barrier:11100000 C:00011111 B:11100000 C:11100000");
}

// Two groups of one gang, at different barriers: each has a record of its own.
TEST(SuspendLowering, GroupsDoNotShareTheirRecords) {
  Split split("  %c = icmp ult i32 %x, 3\n  br i1 %c, label %a, label %b\n"
              "a:\n  store i32 5, ptr %p\n  %v = load i32, ptr %p\n" +
              barrier + "  call void @out(i32 %v)\n  br label %end\n" +
              "b:\n  store i32 6, ptr %p\n  %w = load i32, ptr %p\n" + barrier +
              "  call void @out(i32 %w)\n  br label %end\nend:\n  ret void\n");
  const std::string trace = split.maskedTrace();
  expectInOrder(trace, {"barrier:11100000", "out(5):11100000"});
  expectInOrder(trace, {"barrier:00011111", "out(6):00011111"});
}

// Each lane waits in another round of a loop. They have left it before they are together again, so
// what all had in common in a round differs now.
TEST(SuspendLowering, PartsOfAGangWaitInDifferentRounds) {
  const std::string body =
      "  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %next, %latch ]\n"
      "  %s = add i32 %i, %x\n  %m = and i32 %s, 3\n  %c = icmp eq i32 %m, 0\n"
      "  br i1 %c, label %a, label %latch\na:\n" +
      barrier +
      "  call void @out(i32 %i)\n  br label %latch\n"
      "latch:\n  %next = add i32 %i, 1\n  %go = icmp ult i32 %next, 4\n"
      "  br i1 %go, label %loop, label %end\nend:\n  ret void\n";
  Split split(body);
  guardActive(split.code());
  linearize(split.code(), row(lanes));
  Gang gang(lanes);
  gang.run(split.code(), {0});
  for (unsigned lane = 0; lane < lanes; ++lane)
    EXPECT_EQ(gang.lane(lane), "barrier out(" + std::to_string((8 - lane) % 4) + ")") << lane;
}

// A loop that waits spins for a while, lets others run, and goes on where it was.
TEST(SuspendLowering, SpinningLoopsYield) {
  Split split("  br label %loop\nloop:\n  %v = load volatile i32, ptr %p\n  %w = add i32 %v, 1\n"
              "  store volatile i32 %w, ptr %p\n  %go = icmp ult i32 %w, %n\n"
              "  br i1 %go, label %loop, label %end\nend:\n  call void @A()\n  ret void\n");
  EXPECT_GT(split.result.states, 0u);
  // The context's budget is used up at first; then it is some hundred rounds.
  EXPECT_EQ(split.trace(3), "yield:all A:all");
}

// ---- The width of gangs ------------------------------------------------------------------------

TEST(GangWidth, FollowsFromWhatThreadsSeeOfEachOther) {
  const auto width = [](const std::string &body) {
    Ir ir(function(body + "  ret void\n"));
    return gangWidth(ir.function("f"), 64);
  };
  const GangWidth alone = width("  call void @A()\n");
  EXPECT_FALSE(alone.whole_warps);
  EXPECT_FALSE(alone.may_wait);
  const GangWidth block = width(barrier);
  EXPECT_FALSE(block.whole_warps);
  EXPECT_TRUE(block.may_wait);
  const GangWidth warp = width("  %v = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 true)\n");
  EXPECT_TRUE(warp.whole_warps);
  EXPECT_TRUE(warp.may_wait);
  EXPECT_TRUE(width("  %m = call i32 @llvm.nvvm.activemask()\n").whole_warps);
  // Programs from before Volta take it for granted that a warp is in step.
  EXPECT_TRUE(width("  store volatile i32 1, ptr addrspace(3) null\n").whole_warps);
  EXPECT_FALSE(width("  store volatile i32 1, ptr %p\n").whole_warps);
}

} // namespace
