// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels run several blocks beside each other as if they were one (block_coarsening.h), and
// the code that does (Widener::startStrip).
#include "engine/compiler/simd/plan/block_coarsening.h"

#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// ---- Which ones --------------------------------------------------------------------------------

// A kernel's code; %a is the address of its own float.
bool strips(const std::string &body, const LaneLayout &layout = row(32)) {
  Ir ir(declarations + R"(
declare i32 @vprintf(ptr, ptr)
declare float @llvm.fma.f32(float, float, float)
@tile = internal addrspace(3) global [64 x float] poison
define void @f(ptr %p, ptr %q, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %start = shl i32 %b, 5
  %i = add nuw nsw i32 %start, %x
  %w = zext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %w
  %v = load float, ptr %a
)" + body +
        "  ret void\n}\n");
  canonicalizeLoops(ir.function("f"));
  return runsInStrips(ir.function("f"), layout, {.registers = {32, 64}, .native_gather = true});
}

const std::string update = "  %t = fmul float %v, 2.0\n  store float %t, ptr %a\n";

TEST(BlockCoarsening, AreForUpdatesOfGrids) {
  EXPECT_TRUE(strips(update));
  EXPECT_TRUE(strips(update, {32, LaneLayout::Kind::Tiled, 16, 16, true}));
  EXPECT_TRUE(strips(update, row(8)));
  // Threads beyond the border end; others have other neighbours there.
  EXPECT_TRUE(strips("  %in = icmp slt i32 %i, %n\n  br i1 %in, label %go, label %end\ngo:\n"
                     "  %r = add i32 %i, 1\n  %last = icmp slt i32 %r, %n\n"
                     "  %j = select i1 %last, i32 %r, i32 %i\n  %jw = sext i32 %j to i64\n"
                     "  %c = getelementptr float, ptr %q, i64 %jw\n  %u = load float, ptr %c\n"
                     "  %s = call float @llvm.fma.f32(float %v, float %u, float 1.0)\n"
                     "  store float %s, ptr %a\n  br label %end\nend:\n"));
}

// The rows of such a block use what others of the same block have just loaded.
TEST(BlockCoarsening, NotForLoops) {
  EXPECT_FALSE(strips("  br label %loop\nloop:\n  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
                      "  %next = add i32 %k, 1\n  %go = icmp slt i32 %next, %n\n"
                      "  br i1 %go, label %loop, label %end\nend:\n" +
                      update));
}

// Each block has its own, but there is only one at a time.
TEST(BlockCoarsening, NotWithSharedMemory) {
  EXPECT_FALSE(strips("  store float %v, ptr addrspace(3) @tile\n"));
  EXPECT_FALSE(strips("  %s = getelementptr float, ptr addrspace(3) @tile, i64 3\n"
                      "  %c = addrspacecast ptr addrspace(3) %s to ptr\n"
                      "  store float %v, ptr %c\n"));
  EXPECT_FALSE(strips("  %s = addrspacecast ptr %q to ptr addrspace(3)\n"
                      "  %u = load float, ptr addrspace(3) %s\n  store float %u, ptr %a\n"));
}

// But blocks that are a gang each run one after the other in any case.
TEST(BlockCoarsening, OfBlocksThatAreAGang) {
  LaneLayout block = row(32);
  block.whole = true;
  EXPECT_TRUE(strips("  store float %v, ptr addrspace(3) @tile\n", block));
  EXPECT_TRUE(strips("  store volatile float %v, ptr %a\n", block));
  EXPECT_FALSE(strips("  br label %loop\nloop:\n  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
                      "  %next = add i32 %k, 1\n  %go = icmp slt i32 %next, %n\n"
                      "  br i1 %go, label %loop, label %end\nend:\n",
                      block));
}

// Rows that lie beside each other help if lanes do.
TEST(BlockCoarsening, NotForWhatIsDoneLaneByLane) {
  EXPECT_FALSE(strips("  %u = fptosi float %v to i64\n  %c = getelementptr float, ptr %q, i64 %u\n"
                      "  %g = load float, ptr %c\n  store float %g, ptr %a\n"));
  EXPECT_FALSE(strips("  %u = fptosi float %v to i64\n  %c = getelementptr float, ptr %q, i64 %u\n"
                      "  store float %v, ptr %c\n"));
  EXPECT_FALSE(strips("  %o = atomicrmw add ptr %q, i32 1 monotonic\n"));
  EXPECT_FALSE(strips("  %o = cmpxchg ptr %q, i32 0, i32 1 monotonic monotonic\n"));
  EXPECT_FALSE(strips("  store volatile float %v, ptr %a\n"));
  EXPECT_FALSE(strips("  %o = call i32 @vprintf(ptr %p, ptr %q)\n"));
  EXPECT_FALSE(strips("  call void @A()\n"));
}

TEST(BlockCoarsening, NotForThreadsAloneOrBlocksWithGaps) {
  EXPECT_FALSE(strips(update, {.lanes = 1}));
  LaneLayout partial = row(32);
  partial.full = false;
  EXPECT_FALSE(strips(update, partial));
}

// What follows without gaps, upwards.
TEST(BlockCoarsening, GoUp) {
  const auto go_up = [](const std::string &body, const LaneLayout &layout = row(32)) {
    Ir ir(declarations +
          "define void @f(ptr %p, ptr %q) {\nentry:\n"
          "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
          "  %w = zext i32 %x to i64\n  %a = getelementptr float, ptr %p, i64 %w\n"
          "  %v = load float, ptr %a\n" +
          body + "  ret void\n}\n");
    return stripsGoUp(ir.function("f"), layout);
  };
  const std::string piece = "  %b = getelementptr float, ptr %a, i64 256\n"
                            "  store float %v, ptr %b\n";
  EXPECT_TRUE(go_up(""));
  EXPECT_TRUE(go_up("  %b = getelementptr float, ptr %q, i64 %w\n  store float %v, ptr %b\n"));
  EXPECT_FALSE(go_up("  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"));
  EXPECT_FALSE(go_up(piece));
  LaneLayout whole = row(256);
  whole.whole = true; // then each piece is whole, too
  EXPECT_TRUE(go_up(piece, whole));
}

// ---- Their code --------------------------------------------------------------------------------

// Of a gang of eight, or of `layout`; %b is blockIdx.x.
std::string stripOf(const std::string &body, const LaneLayout &layout = row(8)) {
  Ir ir(threadCode("  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n" + body + "  ret void\n"));
  const WidenOptions options{.layout = layout, .sweeps = true, .strips = true};
  llvm::Function *strip = widen(ir.function("f"), options, nullptr);
  EXPECT_TRUE(strip->getReturnType()->isIntegerTy(32));
  ir.verify();
  return ir.text("f");
}

const std::string block_store = "  store i32 %b, ptr %p, align 4\n";

// Of blocks that are a gang each, the first thread is number 0. They ask for lines of the next one,
// not for those that lie far along the strip.
TEST(BlockCoarsening, OfGangsThatAreBlocks) {
  LaneLayout block = row(8);
  block.whole = true;
  const std::string text =
      stripOf("  %w.b = zext i32 %b to i64\n"
              "  %mine = getelementptr [64 x float], ptr %p, i64 %w.b, i64 %wide\n"
              "  %v = load float, ptr %mine\n  store i32 %x, ptr %e\n",
              block);
  expectNone(text, {field(offsetof(BlockContext, ahead_blocks))});
  expectInOrder(text, {"%block.index = add", "@llvm.prefetch",
                       "store <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>"});
}

// Three loops in one: over the rows of a block, over the strip's blocks, over the gangs of a row.
TEST(WidenStrip, GoesThroughABlocksRowThenTheNextBlocks) {
  const std::string text = stripOf(block_store);
  expectInOrder(blockText(text, "entry"),
                {field(offsetof(ThreadContext, block)), "load ptr",
                 field(offsetof(BlockContext, strip_blocks)), "load i32",
                 field(offsetof(BlockContext, fused_blocks)), "%fused = load i32",
                 "%blocks = mul i32 %", ", %fused", field(offsetof(BlockContext, row_gangs)),
                 "%in.row = call i32 @llvm.umin.i32(", "%first = load i32", "br label %row"});
  expectInOrder(blockText(text, "row"),
                {"%row.gang = phi ptr [ %gangs, %entry ], [ %", ", %next.row ]",
                 "%left = phi i32 [ %count, %entry ], [ %", ", %next.row ]"});
  expectInOrder(blockText(text, "gang"),
                {"%gang1 = phi ptr [ %row.gang, %row ]", "%place = phi i32 [ 0, %row ]",
                 "%done = phi i32 [ 0, %row ]"});
  // Behind a row's last gang comes its first again, in the next block.
  expectInOrder(blockText(text, "next.gang"),
                {"= add i32 %place, 1", "icmp eq i32 %", ", %in.row", "= select i1 %",
                 "= add i32 %done, %", "getelementptr i8, ptr %gang1, i64 %", "select i1 %",
                 "ptr %row.gang, ptr %", "select i1 %", "i32 0, i32 %", "icmp eq i32 %",
                 ", %blocks", "label %next.row, label %gang"});
  expectInOrder(blockText(text, "next.row"),
                {"getelementptr i8, ptr %row.gang", "sub i32 %left, %in.row", "icmp eq i32 %",
                 ", 0", "label %swept, label %row"});
  expectInOrder(blockText(text, "swept"), {"ret i32 0"});
}

// The code's blockIdx.x is that of the loop; others (a fault's message) find it in the context.
TEST(WidenStrip, HasItsOwnBlockIndex) {
  const std::string text = stripOf(block_store), gang = blockText(text, "gang");
  expectInOrder(gang,
                {"%block.index = add", "%first, %done", field(offsetof(BlockContext, running)),
                 "store ptr %gang1", "store i32 %block.index"});
  expectInOrder(text, {"\ncode:", "store i32 %block.index, ptr %p", "br label %next.gang"});
  expectNone(blockText(text, "code"), {"ctaid"});
}

// Where a thread is in its block comes from the gang's context; its row is found once a row.
TEST(WidenStrip, KnowsThreadIdx) {
  const std::string text =
      stripOf("  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
              "  %s = add i32 %y, %b\n  store i32 %s, ptr %p\n  store i32 %x, ptr %e\n");
  const auto place = [](unsigned axis) {
    return field(offsetof(ThreadContext, thread_index) + 4 * axis);
  };
  expectInOrder(blockText(text, "row"), {"ptr %row.gang, " + place(1), "load i32",
                                         "ptr %row.gang, " + place(2), "load i32"});
  expectInOrder(blockText(text, "gang"), {"ptr %gang1, " + place(0), "load i32"});
  expectInOrder(text, {"\ncode:", "%s = add i32 %", ", %block.index"});
}

TEST(WidenStrip, OfRows) {
  const std::string text =
      stripOf("  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n  %s = add i32 %y, %b\n"
              "  store i32 %s, ptr %e\n",
              {8, LaneLayout::Kind::Tiled, 4, 4, true});
  EXPECT_EQ(count(blockText(text, "code"), ", %block.index"), 2u);
}

// What the caches are asked for is some blocks ahead, for the next ones come at once; how many, the
// block's context says.
TEST(WidenStrip, PrefetchesForLaterBlocks) {
  const std::string text =
      stripOf("  %bw = zext i32 %b to i64\n  %s = mul i64 %bw, 256\n  %i = add i64 %s, %wide\n"
              "  %a = getelementptr float, ptr %p, i64 %i\n  %v = load float, ptr %a, align 4\n"
              "  store float %v, ptr %e\n");
  // So far that it is the same for all gangs.
  expectInOrder(blockText(text, "code"),
                {"zext i32 %ahead to i64", ", 256", ", 4", "getelementptr i8, ptr %a, i64",
                 "@llvm.prefetch", "load <8 x float>"});
  expectNone(blockText(text, "code"), {"= add i32 %block.index,"});
}

// An address that is no sum is computed anew for that block.
TEST(WidenStrip, PrefetchesForLaterBlocksThatLieElsewhere) {
  const std::string text =
      stripOf("  %h = xor i32 %b, 5\n  %bw = zext i32 %h to i64\n  %s = mul i64 %bw, 256\n"
              "  %i = add i64 %s, %wide\n  %a = getelementptr float, ptr %p, i64 %i\n"
              "  %v = load float, ptr %a, align 4\n  store float %v, ptr %e\n");
  expectInOrder(blockText(text, "code"), {"= add i32 %block.index, %ahead", "xor i32", "mul i64",
                                          "@llvm.prefetch", "load <8 x float>"});
}

TEST(WidenStrip, PrefetchesNothingThatAllBlocksLoad) {
  const std::string text = stripOf("  %v = load float, ptr %e, align 4\n"
                                   "  %f = getelementptr float, ptr %q, i64 %wide\n"
                                   "  store float %v, ptr %f\n");
  expectNone(text, {"prefetch"});
}

// A line that has been asked for on the way is not asked for again.
TEST(WidenStrip, PrefetchesOnceOnAPath) {
  const std::string text =
      stripOf("  %bw = zext i32 %b to i64\n  %s = mul i64 %bw, 256\n  %i = add i64 %s, %wide\n"
              "  %a = getelementptr float, ptr %p, i64 %i\n  %v = load float, ptr %a, align 4\n"
              "  %more = icmp slt i32 %n, 9\n  br i1 %more, label %then, label %end\nthen:\n"
              "  %o = getelementptr float, ptr %a, i64 1\n  %w = load float, ptr %o, align 4\n"
              "  store float %w, ptr %e\n  br label %end\nend:\n");
  EXPECT_EQ(count(text, "load <8 x float>"), 2u);
  EXPECT_EQ(count(text, "call void @llvm.prefetch"), 1u);
}

} // namespace
