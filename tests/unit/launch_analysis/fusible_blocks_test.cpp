// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels only ask for their place along x in the grid (fusible_blocks.h).
#include "engine/launch_analysis/fusible_blocks.h"

#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

// Of a kernel; %x is threadIdx.x, %b blockIdx.x, %d blockDim.x.
uint32_t fusible(const std::string &body) {
  std::string text = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier0() convergent
declare float @llvm.sqrt.f32(float)
declare float @other(float)
declare void @llvm.experimental.noalias.scope.decl(metadata)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
@tile = internal addrspace(3) global [64 x float] poison
define void @f(ptr %p, i32 %n) {
entry:
)";
  const auto define = [&](const char *name, const char *what) {
    if (body.find(name) != std::string::npos)
      text += std::string("  ") + name + " = call i32 @llvm.nvvm.read.ptx.sreg." + what + "()\n";
  };
  define("%x", "tid.x");
  define("%b", "ctaid.x");
  define("%d", "ntid.x");
  Ir ir(text + body + "  ret void\n}\n!0 = !{!1}\n!1 = distinct !{!1, !2}\n!2 = distinct !{!2}\n");
  ir.verify();
  return fusibleBlockDim(ir.function("f"));
}

const std::string place = "  %s = mul i32 %b, %d\n  %i = add i32 %s, %x\n",
                  update = "  %a = getelementptr float, ptr %p, i32 %i\n"
                           "  %v = load float, ptr %a\n  %r = call float @llvm.sqrt.f32(float %v)\n"
                           "  store float %r, ptr %a\n";

TEST(FusibleBlocks, AskForTheirPlace) {
  EXPECT_EQ(fusible(place + update), any_block_dim);
  EXPECT_EQ(fusible("  %s = mul nuw i32 %d, %b\n  %i = add nsw i32 %x, %s\n" + update),
            any_block_dim);
  EXPECT_EQ(fusible(place +
                    "  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
                    "  %j = add i32 %y, %i\n" +
                    update),
            any_block_dim);
}

// `blockIdx.x * 16 + threadIdx.x` is that only for blocks of 16.
TEST(FusibleBlocks, MayBeOfAKnownWidth) {
  EXPECT_EQ(fusible("  %s = mul i32 %b, 24\n  %i = add i32 %s, %x\n" + update), 24u);
  EXPECT_EQ(fusible("  %s = shl i32 %b, 4\n  %i = add i32 %x, %s\n" + update), 16u);
  EXPECT_EQ(fusible("  %s = shl i32 %b, 4\n  %i = add i32 %s, %x\n"
                    "  %t = mul i32 %b, 24\n  %j = add i32 %t, %x\n" +
                    update),
            0u);
}

TEST(FusibleBlocks, AskForNothingElse) {
  EXPECT_EQ(fusible("  %i = add i32 %x, 1\n" + update), 0u);
  EXPECT_EQ(fusible("  %i = add i32 %b, 1\n" + update), 0u);
  EXPECT_EQ(fusible("  %i = add i32 %d, 1\n" + update), 0u);
  EXPECT_EQ(fusible(place + "  %c = icmp eq i32 %x, 0\n" + update), 0u);
  EXPECT_EQ(fusible("  %s = mul i32 %b, %d\n  %i = add i32 %s, %n\n" + update), 0u);
  EXPECT_EQ(fusible("  %s = mul i32 %b, %n\n  %i = add i32 %s, %x\n" + update), 0u);
  EXPECT_EQ(fusible(place +
                    "  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()\n"
                    "  %w = mul i32 %d, %g\n" +
                    update),
            0u);
  EXPECT_EQ(fusible(place + "  %l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n" + update), 0u);
  EXPECT_EQ(fusible("  %i = add i32 %n, 1\n" + update), 0u); // nothing to be gained
}

TEST(FusibleBlocks, ShareNothing) {
  EXPECT_EQ(fusible(place + "  call void @llvm.nvvm.barrier0()\n" + update), 0u);
  EXPECT_EQ(fusible(place +
                    "  %t = getelementptr float, ptr addrspace(3) @tile, i32 %i\n"
                    "  store float 0.0, ptr addrspace(3) %t\n" +
                    update),
            0u);
  EXPECT_EQ(fusible(place + "  %o = atomicrmw add ptr %p, i32 1 monotonic\n" + update), 0u);
  EXPECT_EQ(fusible(place + "  %o = call float @other(float 0.0)\n" + update), 0u);
}

// Clang leaves it behind where a function with __restrict__ parameters has been inlined.
TEST(FusibleBlocks, MayKnowWhatPointersDoNotOverlap) {
  EXPECT_EQ(
      fusible(place + "  call void @llvm.experimental.noalias.scope.decl(metadata !0)\n" + update),
      any_block_dim);
}

// `float sums[4] = {}`
TEST(FusibleBlocks, MayFillMemory) {
  const auto filling = [](const char *is_volatile) {
    return place +
           "  %l = alloca [4 x float]\n  call void @llvm.memset.p0.i64(ptr %l, i8 0, i64 16, i1 " +
           is_volatile + ")\n" + update;
  };
  EXPECT_EQ(fusible(filling("false")), any_block_dim);
  EXPECT_EQ(fusible(filling("true")), 0u);
}

TEST(FusibleBlocks, AccessNoColumns) {
  EXPECT_EQ(fusible(place + "  %w = sext i32 %i to i64\n  %c = mul i64 %w, 1000\n"
                            "  %e = getelementptr float, ptr %p, i64 %c\n"
                            "  store float 0.0, ptr %e\n"),
            0u);
  EXPECT_EQ(fusible(place + "  %c = shl i32 %i, 1\n" + update), 0u);
}

// As many threads along x as make two full registers of the largest elements, but a warp at least.
TEST(FusibleBlocks, HaveLongRowsOfSmallElements) {
  const auto row = [](const std::string &type, const std::string &more = "") {
    Ir ir("define void @f(ptr %p) {\n  %v = load " + type + ", ptr %p\n" + more + "  store " +
          type + " %v, ptr %p\n  ret void\n}\n");
    return fusedRow(ir.function("f"));
  };
  EXPECT_EQ(row("i8"), 128u);
  EXPECT_EQ(row("i1"), 128u);
  EXPECT_EQ(row("half"), 64u);
  EXPECT_EQ(row("i24"), 32u);
  EXPECT_EQ(row("float"), 32u);
  EXPECT_EQ(row("<4 x float>"), 32u);
  EXPECT_EQ(row("i8", "  %w = load i16, ptr %p\n"), 64u);
  EXPECT_EQ(row("i8", "  %o = atomicrmw add ptr %p, i8 1 monotonic\n"), 32u);
  Ir nothing("define void @f(ptr %p) {\n  ret void\n}\n");
  EXPECT_EQ(fusedRow(nothing.function("f")), 32u);
}

std::string loop(const std::string &bound) {
  return place + "  br label %loop\nloop:\n  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n" +
         update + "  %next = add nuw nsw i32 %k, 1\n  %go = icmp ult i32 %next, " + bound +
         "\n  br i1 %go, label %loop, label %end\nend:\n";
}

TEST(FusibleBlocks, HaveShortLoops) {
  EXPECT_EQ(fusible(loop("5")), any_block_dim);
  EXPECT_EQ(fusible(loop("%n")), 0u);
}

} // namespace
