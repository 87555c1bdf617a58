// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What will be loaded soon is asked for (widen_prefetch.cpp): what the next block will load first,
// and what is far away in a loop that goes over an array in steps of the grid.
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// %i is blockIdx.x * 256 + threadIdx.x, %a the address of that float.
const std::string global_index = "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                                 "  %bw = zext i32 %b to i64\n  %start = mul nuw i64 %bw, 256\n"
                                 "  %i = add nuw i64 %start, %wide\n"
                                 "  %a = getelementptr inbounds float, ptr %p, i64 %i\n";
const std::string load = "  %v = load float, ptr %a, align 4\n  store volatile float %v, ptr %q\n";

std::string prefetching(const std::string &body, WidenOptions options = {row(32)}) {
  return widened(body, options);
}

// The next block's address is a constant away. What does not begin with a line has its first one in
// common with this block's last one, so it is the ends that are asked for.
TEST(WidenPrefetch, PrefetchesTheNextBlocksLines) {
  const std::string text = prefetching(global_index + load);
  expectInOrder(text, {"%bw = zext i32 %b to i64", "getelementptr i8, ptr %a, i64 1024", "i64 63",
                       "@llvm.prefetch.p0(ptr %", "i32 0, i32 3, i32 1)", "i64 127",
                       "@llvm.prefetch.p0(ptr %", "load <32 x float>"});
  EXPECT_EQ(count(text, "call void @llvm.prefetch"), 2u);
  EXPECT_EQ(count(prefetching(global_index + load, {row(8)}), "call void @llvm.prefetch"), 1u);
  expectInOrder(prefetching(global_index + load, {.layout = row(32), .blocks_ahead = 3}),
                {"getelementptr i8, ptr %a, i64 3072", "@llvm.prefetch.p0(ptr %"});
}

TEST(WidenPrefetch, IntoTheSecondLevelIfTheFirstWaitsForFewLines) {
  const std::string text =
      prefetching(global_index + load, {.layout = row(32), .few_misses = true});
  EXPECT_EQ(count(text, "i32 0, i32 2, i32 1)"), 2u);
  EXPECT_EQ(count(text, "call void @llvm.prefetch"), 2u);
}

// A gang that is a block's row, or a quarter of it: such a CPU sees how addresses go up, and reads
// two lines at a time. So it is asked for half of them, in the next block.
TEST(WidenPrefetch, EverySecondLineOfAStreamThen) {
  for (const unsigned lanes : {64, 256}) {
    WidenOptions options{row(lanes)};
    options.few_misses = true;
    options.blocks_ahead = 3;
    const std::string text = prefetching(global_index + load, options);
    EXPECT_EQ(count(text, "call void @llvm.prefetch"), lanes / 32);
    expectInOrder(text, {"getelementptr i8, ptr %a, i64 1024", "i64 128", "@llvm.prefetch.p0"});
    expectNone(text, {"i64 3072", "i64 64\n"});
    EXPECT_EQ(count(prefetching(global_index + load, {row(lanes)}), "call void @llvm.prefetch"),
              lanes / 16);
  }
}

// Strips of several rows do, others do not.
TEST(WidenPrefetch, OfStripsTheSecondLevelOrNothing) {
  WidenOptions options{.layout = row(32), .sweeps = true, .strips = true, .few_misses = true};
  const std::string rows = prefetching(global_index + load, options);
  EXPECT_EQ(count(rows, "i32 0, i32 2, i32 1)"), 2u);
  EXPECT_EQ(count(rows, "call void @llvm.prefetch"), 2u);
  options.foreseen_strips = true;
  expectNone(prefetching(global_index + load, options), {"prefetch"});
}

// Where it is not, it is computed once more for blockIdx.x + 1. There may be no such block, so
// nothing may follow from its address being a good one.
TEST(WidenPrefetch, ComputesTheAddressThatDoesNotGrow) {
  const std::string text =
      prefetching("  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n  %h = xor i32 %b, %n\n"
                  "  %bw = zext i32 %h to i64\n  %start = mul nuw i64 %bw, 256\n"
                  "  %i = add nuw i64 %start, %wide\n"
                  "  %a = getelementptr inbounds float, ptr %p, i64 %i\n" +
                  load);
  expectInOrder(text, {"= add i32 %b, 1", "= xor i32 %", "= zext i32 %", "= mul i64 %", ", 256",
                       "= add i64 %", "= getelementptr float, ptr %p, i64 %",
                       "@llvm.prefetch.p0(ptr %", "load <32 x float>"});
  EXPECT_EQ(count(text, "call void @llvm.prefetch"), 2u);
}

// Of a border that a few lanes load, no more than they will.
TEST(WidenPrefetch, PrefetchesWhatKnownLanesLoad) {
  const std::string text = widened(global_index +
                                       "  %l = call i32 @heddle.lane()\n"
                                       "  %few = icmp ult i32 %l, 4\n"
                                       "  call void @heddle.mask(i1 %few)\n" +
                                       load,
                                   {row(32)}, "declare i32 @heddle.lane()\n");
  expectInOrder(text, {"i64 15", "@llvm.prefetch.p0(ptr %", "load <4 x float>"});
  EXPECT_EQ(count(text, "call void @llvm.prefetch"), 1u);
}

// A CPU reads lines before it stores to a part of them. Without barriers, it has time for that.
TEST(WidenPrefetch, PrefetchesLinesThatAreStoredTo) {
  const std::string store = "  store float 1.0, ptr %a, align 4\n";
  const std::string text = prefetching(global_index + store, {.layout = row(32), .states = 1});
  expectInOrder(text, {"ptr %a, i64 1024", "@llvm.prefetch.p0(ptr %", "store <32 x float>"});
  EXPECT_EQ(count(text, "call void @llvm.prefetch"), 2u);
  expectNone(prefetching(global_index + store), {"prefetch"});
  // In a block of one gang, barriers have vanished.
  LaneLayout whole = row(32);
  whole.whole = true;
  EXPECT_EQ(count(prefetching(global_index + store, {whole}), "call void @llvm.prefetch"), 2u);
}

// Each lane loads another line, or a part of one: all that lie in between are asked for, once.
TEST(WidenPrefetch, OfElementsFarApart) {
  const auto every = [](const char *step) {
    return global_index + "  %j = mul nuw i64 %i, " + step +
           "\n  %f = getelementptr float, ptr %p, i64 %j\n  %v = load float, ptr %f, align 4\n"
           "  store volatile float %v, ptr %q\n";
  };
  EXPECT_EQ(count(prefetching(every("8")), "call void @llvm.prefetch"), 16u);
  EXPECT_EQ(count(prefetching(every("3")), "call void @llvm.prefetch"), 6u);
  expectNone(prefetching(every("8"), {row(128)}), {"prefetch"}); // too many
  const std::string members = "  %j = mul nuw i64 %i, 4\n"
                              "  %f = getelementptr float, ptr %p, i64 %j\n"
                              "  %g = getelementptr float, ptr %f, i64 1\n"
                              "  %v = load float, ptr %f, align 4\n"
                              "  %w = load float, ptr %g, align 4\n  %s = fadd float %v, %w\n"
                              "  store volatile float %s, ptr %q\n";
  EXPECT_EQ(count(prefetching(global_index + members), "call void @llvm.prefetch"), 8u);
}

// What one of the ways here has asked for, however its index was computed.
TEST(WidenPrefetch, NotAgainAfterABranch) {
  const std::string text = prefetching(
      global_index + "  %j = shl i64 %i, 1\n  %f = getelementptr float, ptr %p, i64 %j\n"
                     "  %go = icmp sgt i32 %n, 0\n  br i1 %go, label %then, label %end\nthen:\n"
                     "  %v = load float, ptr %f, align 4\n  store volatile float %v, ptr %q\n"
                     "  br label %end\nend:\n"
                     "  %more = add i64 %i, 1\n  %k = mul i64 %more, 2\n"
                     "  %g = getelementptr float, ptr %p, i64 %k\n"
                     "  %w = load float, ptr %g, align 4\n  store volatile float %w, ptr %q\n");
  expectInOrder(text, {"then:", "llvm.prefetch", "load <32 x float>", "end:", "load <32 x float>"});
  EXPECT_EQ(count(text, "call void @llvm.prefetch"), 4u);
}

// Each row has lines of its own.
TEST(WidenPrefetch, OfRows) {
  const auto rows = [](unsigned lanes, unsigned states) {
    return prefetching("  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
                       "  %yw = zext i32 %y to i64\n" +
                           global_index +
                           "  %k = mul i64 %yw, 1000\n  %j = add i64 %i, %k\n"
                           "  %r = getelementptr float, ptr %p, i64 %j\n"
                           "  %v = load float, ptr %r, align 4\n"
                           "  store volatile float %v, ptr %q\n",
                       {.layout = {lanes, LaneLayout::Kind::Tiled, 4, 4, true}, .states = states});
  };
  EXPECT_EQ(count(rows(8, 0), "call void @llvm.prefetch"), 2u);
  EXPECT_EQ(count(rows(8, 0), "load <4 x float>"), 2u);
  EXPECT_EQ(count(rows(16, 1), "call void @llvm.prefetch"), 4u);
  EXPECT_EQ(count(rows(16, 0), "call void @llvm.prefetch"), 4u);
}

void expectNoPrefetch(const std::string &body) { expectNone(prefetching(body), {"prefetch"}); }

TEST(WidenPrefetch, NotOfWhatAllBlocksLoad) {
  expectNoPrefetch("  %a = getelementptr float, ptr %p, i64 %wide\n" + load);
}

// for (i = …; i < 1000; i += step) v = p[i]
std::string loop(const std::string &step, const WidenOptions &options = {row(32)}) {
  return prefetching(global_index +
                         "  %s = zext i32 %n to i64\n  br label %loop\nloop:\n"
                         "  %k = phi i64 [ %i, %code ], [ %next, %loop ]\n"
                         "  %r = getelementptr float, ptr %p, i64 %k\n"
                         "  %v = load float, ptr %r, align 4\n"
                         "  store volatile float %v, ptr %q\n  %next = add i64 %k, " +
                         step +
                         "\n  %t = sub i64 %next, %i\n  %go = icmp slt i64 %t, 1000\n"
                         "  br i1 %go, label %loop, label %end\nend:\n",
                     options);
}

// Where each round is in another page, it is what the gang after the next will load.
TEST(WidenPrefetch, InLoopsWithStepsOfTheGrid) {
  const std::string text = loop("%s");
  expectInOrder(text,
                {"loop:", "getelementptr i8, ptr %r, i64 256", "i64 63", "@llvm.prefetch.p0(ptr %",
                 "i64 127", "@llvm.prefetch.p0(ptr %", "load <32 x float>, ptr %r"});
  EXPECT_EQ(count(text, "call void @llvm.prefetch"), 2u);
  // Unless the CPU foresees it.
  expectNone(loop("%s", {.layout = row(32), .foreseen_steps = true}), {"prefetch"});
}

// A tile that a block loads in a few rounds is what the next block will load first.
TEST(WidenPrefetch, InLoopsThatLoadATile) {
  const auto tile = [](const char *step, const char *bound) {
    return prefetching(global_index + std::string(R"(
  br label %loop
loop:
  %k = phi i64 [ 0, %code ], [ %next, %loop ]
  %j = add i64 %i, %k
  %r = getelementptr float, ptr %p, i64 %j
  %v = load float, ptr %r, align 4
  store volatile float %v, ptr %q
  %next = add i64 %k, )") +
                       step + "\n  %go = icmp ult i64 %next, " + bound +
                       "\n  br i1 %go, label %loop, label %end\nend:\n");
  };
  const std::string text = tile("256", "512");
  expectInOrder(text,
                {"loop:", "ptr %r, i64 1024", "@llvm.prefetch.p0(ptr %", "load <32 x float>"});
  EXPECT_EQ(count(text, "call void @llvm.prefetch"), 2u);
  expectNone(tile("256", "100000"), {"prefetch"}); // much: too early for the next block
  expectNone(tile("1", "8"), {"prefetch"});        // no tile: each thread has its own elements
}

// The hardware sees where other loops go.
TEST(WidenPrefetch, NotInOtherLoops) {
  expectInOrder(loop("32"), {"load <32 x float>, ptr %r"});
  expectNone(loop("32"), {"prefetch"});
}

// Blocks have shared memory of their own.
TEST(WidenPrefetch, NotOfSharedMemory) {
  expectNoPrefetch(global_index + "  %s = inttoptr i64 %start to ptr addrspace(3)\n"
                                  "  %f = getelementptr float, ptr addrspace(3) %s, i64 %wide\n"
                                  "  %v = load float, ptr addrspace(3) %f, align 4\n"
                                  "  store volatile float %v, ptr %q\n");
}

// What is loaded first is not loaded for the next block: of its address this part is as it is here.
TEST(WidenPrefetch, LoadsNothingForAnAddress) {
  const std::string text =
      prefetching(global_index + "  %o = load i64, ptr %q, align 8\n  %j = add i64 %i, %o\n"
                                 "  %t = getelementptr float, ptr %p, i64 %j\n"
                                 "  %v = load float, ptr %t, align 4\n"
                                 "  store volatile float %v, ptr %q\n");
  EXPECT_EQ(count(text, "load i64, ptr %q"), 1u);
  EXPECT_EQ(count(text, "call void @llvm.prefetch"), 2u);
}

// An address that takes much code is not worth it.
TEST(WidenPrefetch, NotIfItTakesMuchCode) {
  std::string chain = global_index, last = "%start";
  for (unsigned i = 0; i < 30; ++i) {
    const std::string next = "%h" + std::to_string(i);
    chain += "  " + next + " = xor i64 " + last + ", %wide0\n";
    last = next;
  }
  const std::string end = "  %j = add i64 " + last +
                          ", %wide\n"
                          "  %t = getelementptr float, ptr %p, i64 %j\n"
                          "  %v = load float, ptr %t, align 4\n  store volatile float %v, ptr %q\n";
  const std::string constant = "  %wide0 = zext i32 %n to i64\n";
  expectNoPrefetch(constant + chain + end);
}

} // namespace
