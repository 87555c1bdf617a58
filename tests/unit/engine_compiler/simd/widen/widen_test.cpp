// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values, calls and operations of a warp (widen.h): scalars for what all lanes share, vectors for
// the rest, and one lane after the other for what has no vector form.
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// ---- Values ------------------------------------------------------------------------------------

TEST(Widen, WhatAllLanesShareStaysScalar) {
  const std::string text = widened("  %m = mul i32 %n, 3\n  %d = sdiv i32 %m, %n\n"
                                   "  store i32 %d, ptr %p\n");
  expectInOrder(text, {"%m = mul i32 %n, 3", "%d = sdiv i32 %m, %n", "store i32 %d"});
}

// Of what grows from lane to lane the first lane's value is computed, and a vector only where one
// is needed. The first lane may not execute this at all, so its value may overflow.
TEST(Widen, WhatGrowsByAConstantHasOneScalar) {
  const std::string text = widened("  %i = add nsw i32 %x, %n\n  %j = zext i32 %x to i64\n"
                                   "  %k = mul i64 %j, 4\n"
                                   "  %a = getelementptr i8, ptr %p, i64 %k\n"
                                   "  store i32 %i, ptr %a, align 4\n");
  expectInOrder(text, {"%i = add i32 ", "%k = mul i64 "});
  expectInOrder(text, {"<i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>"});
  expectNone(text, {"mul <8 x i64>"});
}

// In a lane that uses the result, the numbers have no bits in common; the first lane may be another
// one. If lane 0 has 1 and lane 5 has 16, lane 5 gets 16 | 7 = 23, which is 15 more than 1 + 7, but
// not than 1 | 7.
TEST(Widen, DisjointBitsAreAdded) {
  const std::string disjoint = "  %i = or disjoint i32 %x, 7\n  %j = zext i32 %i to i64\n"
                               "  %a = getelementptr i8, ptr %p, i64 %j\n"
                               "  store i8 0, ptr %a, align 1\n";
  const std::string text = widened(disjoint);
  expectInOrder(text, {"%i = add i32 ", ", 7"});
  expectNone(text, {"or disjoint", "or i32"});
  const std::string rows = widened("  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
                                   "  %i = or disjoint i32 %y, 7\n  store i32 %i, ptr %e\n",
                                   {{8, LaneLayout::Kind::Tiled, 4, 4, true}});
  expectNone(rows, {"or disjoint", "or i32"});
  // Where all lanes have the same, those that ask have it.
  expectInOrder(widened("  %i = or disjoint i32 %n, 7\n  store i32 %i, ptr %p\n"),
                {"%i = or disjoint i32 %n, 7"});
}

// As versioned code has them, where a fact makes both the same.
TEST(Widen, ChoicesBetweenEqualsAreNone) {
  const std::string choices = "  %s = select i1 %c, i32 %x, i32 %x\n"
                              "  %t = select i1 %c, i32 %n, i32 %n\n  %i = add i32 %s, %t\n"
                              "  %j = zext i32 %i to i64\n"
                              "  %a = getelementptr i8, ptr %p, i64 %j\n"
                              "  store i8 0, ptr %a, align 1\n";
  expectNone(widened(choices), {"select <8 x i1> %c"});
  const std::string tiled = widened("  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
                                    "  %s = select i1 %c, i32 %y, i32 %y\n"
                                    "  %i = add i32 %s, %x\n  store i32 %i, ptr %e\n",
                                    {{8, LaneLayout::Kind::Tiled, 4, 4, true}});
  expectNone(tiled, {"select <8 x i1> %c"});
}

TEST(Widen, TheRestBecomesVectors) {
  const std::string text = widened("  %f = sitofp i32 %u to float\n  %g = fmul fast float %f, 2.0\n"
                                   "  %h = call float @llvm.sqrt.f32(float %g)\n"
                                   "  %s = select i1 %c, float %h, float %f\n"
                                   "  store float %s, ptr %e\n",
                                   {row(8)}, "declare float @llvm.sqrt.f32(float)\n");
  expectInOrder(text, {"%f = sitofp <8 x i32> %u to <8 x float>", "%g = fmul fast <8 x float> %f",
                       "%h = call <8 x float> @llvm.sqrt.v8f32(<8 x float> %g)",
                       "%s = select <8 x i1> %c, <8 x float> %h", "store <8 x float> %s"});
}

// Branches are uniform by now; phis are scalar or vectors as their values are.
TEST(Widen, LoopsKeepTheirForm) {
  const std::string text =
      widened("  br label %loop\nloop:\n  %i = phi i32 [ 0, %code ], [ %next, %loop ]\n"
              "  %s = phi i32 [ %u, %code ], [ %t, %loop ]\n  %t = xor i32 %s, %i\n"
              "  %next = add i32 %i, 1\n  %go = icmp slt i32 %next, %n\n"
              "  br i1 %go, label %loop, label %end\nend:\n  store i32 %t, ptr %e\n");
  expectInOrder(text, {"loop:", "%i = phi i32 [ 0, ", "%s = phi <8 x i32> [ %u, ",
                       "%t = xor <8 x i32> %s", "%go = icmp slt i32 %next, %n",
                       "br i1 %go, label %loop, label %end", "store <8 x i32> %t"});
}

TEST(Widen, BranchesThatLanesPartAtAreRefused) {
  EXPECT_THROW(widened("  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n"),
               std::runtime_error);
}

// ---- Division ----------------------------------------------------------------------------------

// CPUs divide no vectors of integers. 32 bits are exact as doubles …
TEST(WidenDivision, Of32BitsIsDoneInDoubles) {
  const std::string quotient = widened("  %d = sdiv i32 %n, %u\n  store i32 %d, ptr %e\n");
  expectInOrder(quotient, {"sitofp <8 x i32>", "fdiv <8 x double>", "fptosi <8 x double>"});
  expectNone(quotient, {"sdiv"});
  const std::string rest = widened("  %d = urem i32 %n, %u\n  store i32 %d, ptr %e\n");
  expectInOrder(rest, {"uitofp <8 x i32>", "fdiv <8 x double>", "fptoui <8 x double>",
                       "mul <8 x i32>", "sub <8 x i32>"});
  expectNone(rest, {"urem"});
}

// … 64 bits are not.
TEST(WidenDivision, Of64BitsIsDoneLaneByLane) {
  const std::string text = widened("  %l = zext i32 %u to i64\n  %d = udiv i64 1000, %l\n"
                                   "  %a = getelementptr i64, ptr %p, i64 %wide\n"
                                   "  store i64 %d, ptr %a\n");
  EXPECT_EQ(count(text, "udiv i64"), 8u);
}

// A lane that does not execute the division may have a divisor of 0, at which a CPU traps.
TEST(WidenDivision, UnderAMaskIsHarmlessForOthers) {
  const std::string one = "<i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>";
  expectInOrder(widened(masked + "  %d = sdiv i32 %n, %u\n  store i32 %d, ptr %e\n"),
                {"select <8 x i1> %c, <8 x i32> %u, <8 x i32> " + one, "fdiv"});
}

TEST(WidenDivision, ByConstantsIsLeftToTheCodeGenerator) {
  expectInOrder(widened("  %d = udiv i32 %u, 10\n  store i32 %d, ptr %e\n"),
                {"udiv <8 x i32> %u, <i32 10,"});
}

// ---- threadIdx ---------------------------------------------------------------------------------

std::string indices(LaneLayout layout) {
  return widened("  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
                 "  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()\n"
                 "  %x2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                 "  %s = add i32 %x2, %y\n  %t = add i32 %s, %z\n"
                 "  %l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n"
                 "  %a = getelementptr i32, ptr %p, i32 %l\n  store i32 %t, ptr %a\n",
                 {layout});
}

TEST(WidenIndex, InARowFollowsFromTheFirstLanes) {
  expectInOrder(indices(row(8)), {"%s = add i32 %x0, %y0", "%t = add i32 %s, %z0"});
}

// Rows of four, one above the other: a scalar for each.
TEST(WidenIndex, InRows) {
  const std::string text = indices({8, LaneLayout::Kind::Tiled, 4, 4, true});
  expectInOrder(text, {"add i32 %y0, 0", "add i32 %y0, 1", "%z0", "<i32 0, i32 1, i32 2, i32 3>"});
}

// Where gangs have too many rows, the index is a vector.
TEST(WidenIndex, InTiles) {
  const std::string text = indices({8, LaneLayout::Kind::Tiled, 1, 1, true});
  const char *rows = "<i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>";
  EXPECT_NE(text.find(rows), std::string::npos) << text;
  expectInOrder(text, {"add <8 x i32>", "%z0"});
}

// Of other blocks each thread's context says it.
TEST(WidenIndex, InGeneralIsReadFromContexts) {
  const std::string text = indices({8, LaneLayout::Kind::General, 0, 1, true});
  expectInOrder(text, {field(offsetof(GangContext, lanes)), "load i32", "insertelement <8 x i32>"});
  expectInOrder(text, {field(7 * sizeof(ThreadContext))});
}

// ---- Calls -------------------------------------------------------------------------------------

const std::string callee = "declare i32 @g(ptr, i32, i32)\n";

// A function of a thread gets that thread's context and values.
TEST(WidenCall, LaneByLane) {
  const std::string body = "  %r = call i32 @g(ptr %gang, i32 %u, i32 %n)\n"
                           "  store i32 %r, ptr %e\n";
  const std::string all = widened(body, {row(8)}, callee);
  EXPECT_EQ(count(all, "call i32 @g(ptr"), 8u);
  expectInOrder(all, {"i64 " + std::to_string(sizeof(ThreadContext)),
                      "extractelement <8 x i32> %u, i32 1", "call i32 @g(ptr",
                      "insertelement <8 x i32>", "store <8 x i32>"});
  expectNone(all, {"@g(ptr %gang"});
  const std::string some = widened(masked + body, {row(8)}, callee);
  EXPECT_EQ(count(some, "call i32 @g(ptr"), 1u);
  expectInOrder(some, {"= phi i32", "@llvm.cttz.i32(", "call i32 @g(ptr", "br i1"});
}

// Not even with the same arguments is it one call: it may do something.
TEST(WidenCall, IsMadeForEachLane) {
  EXPECT_EQ(count(widened("  %r = call i32 @g(ptr %gang, i32 0, i32 %n)\n", {row(8)}, callee),
                  "call i32 @g(ptr"),
            8u);
}

// ---- Operations of a warp (PTX ISA, "shfl.sync", "vote.sync") ----------------------------------

const std::string warp_operations =
    "declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)\n"
    "declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)\n"
    "declare float @llvm.nvvm.shfl.sync.idx.f32(i32, float, i32, i32)\n"
    "declare {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32, i32, i32, i32)\n"
    "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\ndeclare i1 @llvm.nvvm.vote.all.sync(i32, "
    "i1)\n"
    "declare i1 @llvm.nvvm.vote.any.sync(i32, i1)\ndeclare i1 @llvm.nvvm.vote.uni.sync(i32, i1)\n"
    "declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)\n"
    "declare i32 @llvm.nvvm.redux.sync.add(i32, i32)\ndeclare i32 @llvm.nvvm.activemask()\n"
    "declare void @llvm.nvvm.bar.warp.sync(i32)\n";

std::string warp(const std::string &body) { return widened(body, {row(32)}, warp_operations); }

// __shfl_xor_sync(m, u, 1): neighbours change places.
TEST(WidenShuffle, ByAConstantIsAPermutation) {
  const std::string body = "  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %u, i32 1, "
                           "i32 31)\n  store i32 %s, ptr %e\n";
  const std::string text = warp(body);
  expectInOrder(text, {"shufflevector <32 x i32> %u", "<i32 1, i32 0, i32 3, i32 2, i32 5, i32 4,",
                       "i32 31, i32 30>", "store <32 x i32>"});
  expectNone(text, {"extractelement"});
  // A lane that reads from an inactive lane keeps its own value.
  expectInOrder(warp(masked + body), {"shufflevector <32 x i1> %c", "select <32 x i1>"});
}

// In segments of 8 lanes (clamp 0x181f), the last two have no source lane.
TEST(WidenShuffle, StaysWithinItsSegment) {
  const std::string text =
      warp("  %s = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %u, i32 2, i32 6175)\n"
           "  store i32 %s, ptr %e\n");
  expectInOrder(text, {"shufflevector <32 x i32> %u",
                       "<i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 6, i32 7, i32 10, i32 11,"});
}

TEST(WidenShuffle, AnswersWhetherTheSourceWasThere) {
  expectInOrder(
      warp("  %s = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %u, i32 1, i32 0)\n"
           "  %b = extractvalue {i32, i1} %s, 1\n  %i = zext i1 %b to i32\n"
           "  store i32 %i, ptr %e\n"),
      {"<i32 0, i32 0, i32 1, i32 2,", "<32 x i1> <i1 false, i1 true, i1 true,"});
}

// Of any lane: through memory.
TEST(WidenShuffle, ByAVariableGoesThroughATable) {
  const std::string text =
      warp("  %f = sitofp i32 %u to float\n"
           "  %s = call float @llvm.nvvm.shfl.sync.idx.f32(i32 -1, float %f, i32 %u, i32 31)\n"
           "  store float %s, ptr %e\n");
  expectInOrder(text, {"store <32 x float> %f, ptr", "load float"});
  EXPECT_EQ(count(text, "= load float"), 32u);
}

// A gang of two warps shuffles within each of them.
TEST(WidenShuffle, StaysWithinItsWarp) {
  const auto two = [](const std::string &body) {
    return widened(body, {row(64)}, warp_operations);
  };
  const std::string text =
      two("  %s = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %u, i32 16, i32 31)\n"
          "  store i32 %s, ptr %e\n");
  expectInOrder(text, {"shufflevector <64 x i32> %u", "<i32 16, i32 17,",
                       "i32 30, i32 31, i32 16, i32 17,", "i32 31, i32 48, i32 49,",
                       "i32 62, i32 63, i32 48, i32 49,", "i32 62, i32 63>"});
  const std::string table =
      two("  %f = sitofp i32 %u to float\n"
          "  %s = call float @llvm.nvvm.shfl.sync.idx.f32(i32 -1, float %f, i32 %u, i32 31)\n"
          "  store float %s, ptr %e\n");
  EXPECT_EQ(count(table, "= load float"), 64u);
  EXPECT_EQ(count(table, "= or i32"), 32u); // the second warp's
}

// Warps are complete, so that no lane reads from an inactive one.
TEST(WidenShuffle, OfWholeWarpsNeedsNoMask) {
  const std::string body = "  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %u, i32 1, "
                           "i32 31)\n  store i32 %s, ptr %e\n";
  expectNone(widened(masked + body, {row(64)}, warp_operations),
             {"shufflevector <64 x i1>", "select"});
}

// A ballot is the lanes' bits: what to ask of them follows.
TEST(WidenVote, IsDoneWithBits) {
  const auto vote = [](const std::string &mode, const std::string &use) {
    return warp("  %low = and i32 %u, 1\n  %odd = icmp ne i32 %low, 0\n" + masked + "  %v = call " +
                mode + ".sync(i32 -1, i1 %odd)\n" + use);
  };
  expectInOrder(vote("i32 @llvm.nvvm.vote.ballot", "  store i32 %v, ptr %p\n"),
                {"select <32 x i1> %c", "bitcast <32 x i1>", "store i32"});
  const std::string use = "  %i = zext i1 %v to i32\n  store i32 %i, ptr %p\n";
  expectInOrder(vote("i1 @llvm.nvvm.vote.all", use),
                {"bitcast <32 x i1>", "icmp eq i32", "store i32"});
  expectInOrder(vote("i1 @llvm.nvvm.vote.any", use),
                {"bitcast <32 x i1>", "icmp ne i32", "store i32"});
  expectInOrder(vote("i1 @llvm.nvvm.vote.uni", use),
                {"bitcast <32 x i1>", "icmp eq i32", "or i1", "store i32"});
}

TEST(WidenVote, TheActiveMaskIsThatOfTheBlock) {
  const std::string ask = "  %m = call i32 @llvm.nvvm.activemask()\n  store i32 %m, ptr %p\n";
  expectInOrder(warp(ask), {"store i32 -1, ptr %p"});
  expectInOrder(warp(masked + ask), {"bitcast <32 x i1> %c to i32", "store i32 %"});
}

// What is rare is left to the runtime: each lane writes its request, and reads its answer.
TEST(WidenWarp, TheRestIsAskedOfTheRuntime) {
  for (const char *ask : {"  %v = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %u)\n",
                          "  %v = call i32 @llvm.nvvm.redux.sync.add(i32 %u, i32 -1)\n"})
    expectInOrder(warp(std::string(ask) + "  store i32 %v, ptr %e\n"),
                  {field(offsetof(GangContext, requests)), "store i64",
                   field(offsetof(RuntimeTable, evaluate)), "call void %", "load i32",
                   "store <32 x i32>"});
}

TEST(WidenWarp, TogetherNeedsNoSync) {
  expectNone(warp("  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"), {"call"});
}

// ---- The function around it --------------------------------------------------------------------

const std::string markers =
    "declare i1 @heddle.active()\ndeclare i1 @heddle.any(i1)\ndeclare i1 @heddle.all(i1)\n"
    "declare ptr @heddle.suspend(i32, i32, i32, i32, i32)\ndeclare i32 @heddle.state()\n"
    "declare i32 @heddle.lane()\n";

// Whether any, or all, of the active lanes; inactive lanes do not count.
TEST(WidenMarkers, AskTheExecutingLanes) {
  for (const char *name : {"any", "all"}) {
    const std::string body = std::string("  %a = call i1 @heddle.") + name +
                             "(i1 %odd)\n  %i = zext i1 %a to i32\n  store i32 %i, ptr %p\n";
    const std::string odd = "  %low = and i32 %u, 1\n  %odd = icmp ne i32 %low, 0\n";
    expectInOrder(widened(odd + masked + body, {row(8)}, markers),
                  {"select <8 x i1> %c", "bitcast <8 x i1>", "to i8", "icmp", "store i32"});
    expectNone(widened(odd + body, {row(8)}, markers), {"select"});
  }
}

// A group that waits: its lanes, its state, and what it waits for. The context is told where the
// next record goes.
TEST(WidenMarkers, SuspensionsWriteRecords) {
  const std::string text =
      widened(masked + "  %r = call ptr @heddle.suspend(i32 3, i32 0, i32 1, i32 %n, i32 0)\n"
                       "  store i32 %n, ptr %r\n",
              {.layout = row(8), .record_bytes = 64, .states = 3}, markers);
  expectInOrder(text,
                {field(offsetof(GangContext, suspended)), "load ptr", "store i32 3", "store i32 %n",
                 field(64), "store ptr", field(sizeof(GroupRecord)), "store i32 %n"});
}

// ---- Masks of gangs that are wider than a warp -------------------------------------------------

const std::string ask_markers =
    "declare i1 @heddle.any(i1)\ndeclare i1 @heddle.all(i1)\ndeclare i32 @heddle.first(i32)\n";

std::string wide(unsigned lanes, const std::string &body, const std::string &more = "") {
  return widened(body, {row(lanes)}, ask_markers + more);
}

// A bit for each lane: all of them are asked.
TEST(WidenWideMasks, HaveABitForEachLane) {
  for (const unsigned lanes : {64u, 128u}) {
    const std::string n = std::to_string(lanes), bits = "i" + n;
    const std::string odd = "  %low = and i32 %u, 1\n  %odd = icmp ne i32 %low, 0\n";
    const auto ask = [&](const std::string &name) {
      return wide(lanes, odd + masked + "  %a = call i1 @heddle." + name +
                             "(i1 %odd)\n  %i = zext i1 %a to i32\n  store i32 %i, ptr %p\n");
    };
    const std::string any = ask("any"), all = ask("all");
    // Whether all of the gang are here is asked of all bits, too.
    for (const std::string &text : {any, all})
      expectInOrder(
          text, {"bitcast <" + n + " x i1> %c to " + bits, "%all.here = icmp eq " + bits, ", -1"});
    expectInOrder(any, {"select <" + n + " x i1> %c, <" + n + " x i1> %odd",
                        "bitcast <" + n + " x i1>", "%any = icmp ne " + bits, ", 0"});
    expectInOrder(all, {"xor <" + n + " x i1> %odd", "select <" + n + " x i1> %c",
                        "bitcast <" + n + " x i1>", "%all = icmp eq " + bits, ", 0"});
    for (const std::string &text : {any, all})
      expectNone(text, {"trunc i" + n, "i32 -1"});
  }
}

TEST(WidenWideMasks, KnowTheFirstLane) {
  for (const unsigned lanes : {64u, 128u}) {
    const std::string n = std::to_string(lanes);
    const std::string ask = "  %f = call i32 @heddle.first(i32 %u)\n  store i32 %f, ptr %p\n";
    expectInOrder(wide(lanes, masked + ask),
                  {"call i" + n + " @llvm.cttz.i" + n + "(i" + n + " %", "trunc i" + n + " %",
                   "to i32", "extractelement <" + n + " x i32> %u, i32 %"});
    expectInOrder(wide(lanes, ask), {"extractelement <" + n + " x i32> %u, i32 0"});
  }
}

// Of lanes that store to one place the last wins: that with the highest bit.
TEST(WidenWideMasks, KnowTheLastLane) {
  const std::string store = "  store i32 %u, ptr %p\n";
  expectInOrder(wide(64, masked + store), {"call i64 @llvm.ctlz.i64(i64 %", "sub i64 63, %",
                                           "extractelement <64 x i32> %u, i64 %", "store i32"});
  expectInOrder(wide(128, masked + store), {"call i128 @llvm.ctlz.i128(i128 %", "sub i128 127, %",
                                            "extractelement <128 x i32> %u, i128 %", "store i32"});
  expectInOrder(wide(128, store), {"extractelement <128 x i32> %u, i32 127", "store i32"});
}

// Lane by lane: those of the mask, the lowest bit first.
TEST(WidenWideMasks, AreGoneThroughBitByBit) {
  for (const unsigned lanes : {64u, 128u}) {
    const std::string n = std::to_string(lanes), bits = "i" + n;
    const std::string text = wide(lanes,
                                  masked + "  %r = call i32 @g(ptr %gang, i32 %u, i32 %n)\n"
                                           "  store i32 %r, ptr %e\n",
                                  callee);
    EXPECT_EQ(count(text, "call i32 @g(ptr"), 1u);
    expectInOrder(text, {"%rest = phi " + bits, "@llvm.cttz." + bits + "(" + bits + " %rest",
                         " = trunc " + bits, "call i32 @g(ptr", "sub " + bits + " %rest, 1",
                         "and " + bits + " %rest", "icmp eq " + bits});
    EXPECT_EQ(count(wide(lanes, "  call void @A()\n"), "call void @A()"), lanes);
  }
}

// Division, too, is harmless for all lanes that are not here.
TEST(WidenWideMasks, ChooseForAllLanes) {
  expectInOrder(
      wide(64, masked + "  %d = sdiv i32 %n, %u\n  store i32 %d, ptr %e\n"),
      {"select <64 x i1> %c, <64 x i32> %u", "fdiv <64 x double>", "@llvm.masked.store.v64i32"});
}

// ---- Sweeps ------------------------------------------------------------------------------------

// One function for all gangs of a block, one after the other, if none of them ever waits but at
// plain barriers; and one for a single gang, by means of it.
TEST(WidenSweep, RunsGangAfterGang) {
  const WidenOptions options{.layout = row(8), .record_bytes = 4000, .sweeps = true, .states = 1};
  Ir ir(threadCode("  %s = call i32 @heddle.state()\n  %start = icmp eq i32 %s, 0\n"
                   "  br i1 %start, label %first, label %then\n"
                   "first:\n  store i32 %u, ptr %e\n"
                   "  %r = call ptr @heddle.suspend(i32 1, i32 0, i32 0, i32 0, i32 0)\n"
                   "  br label %then\nthen:\n  ret void\n",
                   markers));
  llvm::Function *sweep = widen(ir.function("f"), options, nullptr);
  llvm::Function *entry = makeEntry(*sweep, options);
  ir.verify();
  EXPECT_TRUE(sweep->getReturnType()->isIntegerTy(32));
  EXPECT_EQ(sweep->arg_size(), 5u);
  EXPECT_EQ(entry->arg_size(), 7u);
  const std::string text = ir.text("f");
  expectInOrder(text, {"phi ptr", field(offsetof(GangContext, outcome)), "store <8 x i32>"});
  expectInOrder(text, {"ret i32"});
  // The record of a gang that waits at a plain barrier is never read: it is not written.
  expectNone(text, {field(4000)});
  expectInOrder(ir.text(entry->getName()), {"call i32 @f(", "br i1", "store i32 %", field(4000)});
}

} // namespace
