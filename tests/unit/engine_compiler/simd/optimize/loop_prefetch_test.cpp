// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the next round of a loop with barriers will load is asked for (loop_prefetch.h), and what
// becomes of that in a gang's code.
#include "engine/compiler/simd/optimize/loop_prefetch.h"

#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

const std::string barrier = "  call void @llvm.nvvm.barrier0()\n";

// A loop with counters %k (i32, by 16 each round), %m (by %step) and %c (a pointer, by 32 bytes).
// `body` loads %v from %a.
std::string rounds(const std::string &body, const std::string &load = "load float, ptr %a",
                   const std::string &at_end = barrier) {
  Ir ir(declarations + R"(
declare float @llvm.sqrt.f32(float)
@tile = internal addrspace(3) global [64 x float] poison
define void @f(ptr %p, ptr %q, i32 %n, i32 %step, i32 %width) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %m = phi i32 [ %x, %entry ], [ %m1, %loop ]
  %c = phi ptr [ %p, %entry ], [ %c1, %loop ]
  %s = phi i32 [ 1, %entry ], [ %s1, %loop ]
)" + body +
        "  %v = " + load + R"(
  store float %v, ptr %q
)" + at_end +
        R"(  %k1 = add i32 %k, 16
  %m1 = add i32 %m, %step
  %c1 = getelementptr i64, ptr %c, i64 4
  %s1 = shl i32 %s, 1
  %go = icmp slt i32 %k1, %n
  br i1 %go, label %loop, label %end
end:
  ret void
}
!0 = !{}
)");
  prefetchNextIterations(ir.function("f"));
  ir.verify();
  return ir.text("f");
}

const std::string hint = "call void @heddle.prefetch(";

void expectNoHint(const std::string &text) { expectNone(text, {"heddle.prefetch"}); }

// From the load's address to the next round's is what the counter grows by.
TEST(LoopPrefetch, FollowsACounter) {
  const std::string text = rounds("  %kw = sext i32 %k to i64\n"
                                  "  %a = getelementptr float, ptr %p, i64 %kw\n");
  expectInOrder(text, {"%a = getelementptr", " = getelementptr i8, ptr %a, i64 64", hint + "ptr %",
                       "i32 4)", "%v = load float, ptr %a"});
  EXPECT_EQ(count(text, hint), 1u);
}

// Lines that are stored to are loaded before.
TEST(LoopPrefetch, PrefetchesWhatIsStored) {
  const std::string text = rounds("  %a = getelementptr float, ptr %q, i32 %x\n"
                                  "  %b = getelementptr double, ptr %p, i32 %k\n"
                                  "  store double 0.0, ptr %b\n");
  expectInOrder(text, {"= getelementptr i8, ptr %b, i64 128", hint, "i32 8)", "store double"});
  EXPECT_EQ(count(text, hint), 1u);
  expectNoHint(rounds("  %a = getelementptr float, ptr %q, i32 %x\n"
                      "  %b = getelementptr double, ptr %p, i32 %k\n"
                      "  store volatile double 0.0, ptr %b\n"));
}

// The step is what the program says, whatever it is; sums and products of it are followed.
TEST(LoopPrefetch, FollowsVariableSteps) {
  expectInOrder(rounds("  %t = mul i32 %m, %width\n  %i = add i32 %t, %k\n"
                       "  %w = zext i32 %i to i64\n"
                       "  %a = getelementptr float, ptr %p, i64 %w\n"),
                {"= sext i32 %step to i64", "= sext i32 %width to i64", "= mul i64 %",
                 "= add i64 %", ", 16", "= mul i64 %", ", 4", "getelementptr i8, ptr %a, i64 %",
                 hint});
}

TEST(LoopPrefetch, FollowsShiftsAndDifferences) {
  const std::string text = rounds("  %t = shl i32 %k, 2\n  %i = sub i32 %n, %t\n"
                                  "  %w = sext i32 %i to i64\n"
                                  "  %a = getelementptr float, ptr %p, i64 %w\n");
  expectInOrder(text, {"getelementptr i8, ptr %a, i64 -256", hint});
  // By a number of bits that is not known here.
  expectInOrder(rounds("  %t = shl i32 %k, %width\n  %w = zext i32 %t to i64\n"
                       "  %a = getelementptr float, ptr %p, i64 %w\n"),
                {"= sext i32 %width to i64", "= shl i64 16, %", hint});
}

TEST(LoopPrefetch, FollowsPointers) {
  expectInOrder(rounds("  %a = getelementptr float, ptr %c, i32 %x\n"),
                {"getelementptr i8, ptr %a, i64 32", hint});
}

// Both may grow, the pointer and the index.
TEST(LoopPrefetch, AddsUp) {
  expectInOrder(rounds("  %b = getelementptr [8 x float], ptr %c, i32 %k, i32 %x\n"
                       "  %a = getelementptr i8, ptr %b, i64 12\n"),
                {"getelementptr i8, ptr %a, i64 544", hint}); // 32 + 16 * 32
}

TEST(LoopPrefetch, NotOfWhatStaysInPlace) {
  expectNoHint(rounds("  %a = getelementptr float, ptr %p, i32 %x\n"));
  expectNoHint(rounds("  %t = sub i32 %k, %k\n  %a = getelementptr float, ptr %p, i32 %t\n"));
}

// A counter that doubles, an index from memory, the product of two counters.
TEST(LoopPrefetch, NotOfUnknownGrowth) {
  expectNoHint(rounds("  %a = getelementptr float, ptr %p, i32 %s\n"));
  expectNoHint(rounds("  %i = load i32, ptr %q\n  %a = getelementptr float, ptr %p, i32 %i\n"));
  expectNoHint(rounds("  %i = mul i32 %k, %m\n  %a = getelementptr float, ptr %p, i32 %i\n"));
  expectNoHint(rounds("  %i = xor i32 %k, 5\n  %a = getelementptr float, ptr %p, i32 %i\n"));
  expectNoHint(rounds("  %i = shl i32 3, %k\n  %a = getelementptr float, ptr %p, i32 %i\n"));
}

const std::string growing = "  %a = getelementptr float, ptr %p, i32 %k\n";

// Elsewhere, the CPU looks ahead by itself.
TEST(LoopPrefetch, NotWithoutBarriers) {
  const std::string text = rounds(growing, "load float, ptr %a", "");
  expectNoHint(text);
  expectNone(text, {"heddle.foreseen"});
}

TEST(LoopPrefetch, NotOfSharedOrVolatileOrConstantMemory) {
  expectNoHint(rounds("  %a = getelementptr float, ptr addrspace(3) @tile, i32 %k\n",
                      "load float, ptr addrspace(3) %a"));
  expectNoHint(rounds(growing, "load volatile float, ptr %a"));
  expectNoHint(rounds(growing, "load float, ptr %a, !invariant.load !0"));
}

// Loads that have been thought of here need nothing else, whether there is a hint or not.
TEST(LoopPrefetch, MarksLoads) {
  for (const std::string &body :
       {growing, std::string("  %a = getelementptr float, ptr %p, i32 %s\n")})
    expectInOrder(rounds(body), {"%v = load float, ptr %a", "!heddle.foreseen"});
}

// In a loop within, the round is that of the loop with the barrier.
TEST(LoopPrefetch, FollowsTheLoopWithTheBarrier) {
  const auto nest = [](const std::string &index, const std::string &step = "1") {
    Ir ir(declarations + R"(
define void @f(ptr %p, ptr %q, i32 %n, i32 %width) {
entry:
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k1, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %inner ]
  %i = )" +
          index + R"(
  %a = getelementptr float, ptr %p, i32 %i
  %v = load float, ptr %a
  store float %v, ptr %q
  %j1 = add i32 %j, )" +
          step + R"(
  %more = icmp slt i32 %j1, 64
  br i1 %more, label %inner, label %latch
latch:
  call void @llvm.nvvm.barrier0()
  %k1 = add i32 %k, 16
  %go = icmp slt i32 %k1, %n
  br i1 %go, label %outer, label %end
end:
  ret void
}
)");
    prefetchNextIterations(ir.function("f"));
    ir.verify();
    return ir.text("f");
  };
  // Within, it starts anew each time, so that what it adds is the same in each round.
  expectInOrder(nest("add i32 %k, %j", "16"), {"getelementptr i8, ptr %a, i64 64", hint});
  expectInOrder(nest("add i32 %k, %j", "-16"), {"getelementptr i8, ptr %a, i64 64", hint});
  expectInOrder(nest("add i32 %k, %j", "%width"), {"getelementptr i8, ptr %a, i64 64", hint});
  // So short a step asks for the same line again.
  expectNoHint(nest("add i32 %k, %j", "15"));
  expectNoHint(nest("add i32 %k, %j", "-1"));
  expectNoHint(nest("mul i32 %k, 3"));
}

// ---- Of later blocks ---------------------------------------------------------------------------

// The less a thread loads first, the more blocks ahead.
TEST(BlocksAhead, FollowFromWhatIsLoaded) {
  const auto ahead = [](unsigned loads, const std::string &type = "float",
                        const std::string &more = "  ret void\n") {
    std::string text = declarations + "@tile = internal addrspace(3) global [64 x float] poison\n"
                                      "define void @f(ptr %p, ptr %q, i1 %go) {\nentry:\n";
    for (unsigned i = 0; i < loads; ++i)
      text += "  %v" + std::to_string(i) + " = load " + type + ", ptr %p\n";
    Ir ir(text + more + "}\n!0 = !{}\n");
    return blocksAhead(ir.function("f"));
  };
  EXPECT_EQ(ahead(0), 1u);
  EXPECT_EQ(ahead(1), 4u);
  EXPECT_EQ(ahead(2), 3u);
  EXPECT_EQ(ahead(3), 2u);
  EXPECT_EQ(ahead(4), 1u);
  EXPECT_EQ(ahead(50), 1u);
  EXPECT_EQ(ahead(1, "double"), 3u);
  EXPECT_EQ(ahead(1, "i8"), 4u);
  // What is loaded from elsewhere, or in rounds between barriers, is not first.
  EXPECT_EQ(ahead(1, "float",
                  "  %s = load double, ptr addrspace(3) @tile\n"
                  "  %c = load double, ptr %p, !invariant.load !0\n  br label %loop\nloop:\n"
                  "  %r = load double, ptr %p\n  call void @llvm.nvvm.barrier0()\n"
                  "  br i1 %go, label %loop, label %end\nend:\n  ret void\n"),
            4u);
}

// ---- In a gang's code --------------------------------------------------------------------------

std::string lowered(const std::string &address, const LaneLayout &layout, const char *bytes = "4") {
  return widened(address + "  call void @heddle.prefetch(ptr %a, i32 " + bytes + ")\n", {layout},
                 "declare void @heddle.prefetch(ptr, i32)\n");
}

const std::string own = "  %a = getelementptr float, ptr %p, i64 %wide\n";

// A line at a time, of what all lanes together will load; and the line that it may reach into.
TEST(LoopPrefetch, BecomesAnInstructionALine) {
  const auto lines = [](const std::string &text) { return count(text, "@llvm.prefetch.p0(ptr "); };
  EXPECT_EQ(lines(lowered(own, row(8))), 1u);
  const std::string text = lowered(own, row(32));
  EXPECT_EQ(lines(text), 3u);
  expectInOrder(text, {"@llvm.prefetch.p0(ptr %", "i32 0, i32 3, i32 1)", "ptr %a, i64 64",
                       "@llvm.prefetch.p0(", "ptr %a, i64 127", "@llvm.prefetch.p0("});
  EXPECT_EQ(lines(lowered(own, row(16))), 1u); // a line: that would be one more for each
  EXPECT_EQ(lines(lowered(own, row(128))), 9u);
  EXPECT_EQ(lines(lowered("  %a = getelementptr double, ptr %p, i64 %wide\n", row(32), "8")), 5u);
  EXPECT_EQ(lines(lowered("  %a = getelementptr i8, ptr %p, i64 %wide\n", row(128), "1")), 3u);
  expectNone(text, {"heddle."});
}

TEST(LoopPrefetch, BecomesAnInstructionARow) {
  const std::string text =
      lowered("  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n  %t = mul i32 %y, %n\n"
              "  %tw = zext i32 %t to i64\n  %i = add i64 %tw, %wide\n"
              "  %a = getelementptr float, ptr %p, i64 %i\n",
              {128, LaneLayout::Kind::Tiled, 16, 16, true});
  EXPECT_EQ(count(text, "@llvm.prefetch.p0(ptr "), 8u); // rows of 64 bytes
}

// What lanes load from unrelated addresses is not prefetched.
TEST(LoopPrefetch, ForgetsAddressesOfEachLane) {
  const std::string text = lowered("  %uw = sext i32 %u to i64\n"
                                   "  %a = getelementptr float, ptr %p, i64 %uw\n",
                                   row(32));
  expectNone(text, {"prefetch"});
}

// What is foreseen is not asked for a second time, for the next block (widen_prefetch.cpp).
TEST(LoopPrefetch, IsInPlaceOfTheNextBlocks) {
  const auto load = [](const std::string &metadata) {
    return widened(
        "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n  %bw = zext i32 %b to i64\n"
        "  %s = mul i64 %bw, 256\n  %i = add i64 %s, %wide\n"
        "  %a = getelementptr float, ptr %p, i64 %i\n"
        "  %v = load float, ptr %a, align 4" +
            metadata + "\n  store float %v, ptr %e\n",
        {row(32)});
  };
  EXPECT_EQ(count(load(""), "call void @llvm.prefetch"), 2u);
  expectNone(load(", !heddle.foreseen !0"), {"prefetch"});
}

} // namespace
