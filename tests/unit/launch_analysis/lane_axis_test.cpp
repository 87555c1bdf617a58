// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels may be turned, and how they access memory along each axis (lane_axis.h).
#include "engine/launch_analysis/lane_axis.h"

#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

// Of a kernel; %x and %y are the thread's place in the grid.
std::vector<AxisAccesses> axes(const std::string &body) {
  Ir ir(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier0() convergent
declare void @llvm.nvvm.bar.warp.sync(i32) convergent
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) convergent
declare i32 @vprintf(ptr, ptr)
define void @f(ptr %p, ptr %q, i32 %n) {
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bx16 = shl i32 %bx, 4
  %by16 = shl i32 %by, 4
  %x = add i32 %bx16, %tx
  %y = add i32 %by16, %ty
)" + body +
        "  ret void\n}\n");
  ir.verify();
  return accessesByAxis(ir.function("f"));
}

void expectCounts(const AxisAccesses &found, double uniform, double contiguous, double scattered) {
  EXPECT_EQ(found.uniform, uniform);
  EXPECT_EQ(found.contiguous, contiguous);
  EXPECT_EQ(found.scattered, scattered);
}

const std::string store = "  %xn = mul i32 %x, %n\n  %i = add i32 %xn, %y\n"
                          "  %wide = sext i32 %i to i64\n"
                          "  %a = getelementptr float, ptr %p, i64 %wide\n"
                          "  store float 0.0, ptr %a\n";

TEST(LaneAxis, KnowsRowsAndColumns) {
  const auto found = axes(store);
  ASSERT_EQ(found.size(), 3u);
  expectCounts(found[0], 0, 0, 1);
  expectCounts(found[1], 0, 1, 0);
  expectCounts(found[2], 1, 0, 0);
}

// `blockIdx.y * 16 + threadIdx.y` is all that is asked of y; x is a row.
TEST(LaneAxis, BlocksOfTurnedLaunchesMayBeFused) {
  const auto found = axes(store);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[1].fusible_block_dim, 16u);
  const auto other = axes(store + "  store i32 %ty, ptr %q\n");
  ASSERT_EQ(other.size(), 3u);
  EXPECT_EQ(other[1].fusible_block_dim, 0u);
}

// `sum += a[x * n + k] * b[k * n + y]`: what is in loops counts more.
TEST(LaneAxis, WeighsLoops) {
  const auto found = axes(R"(
  %xn = mul i32 %x, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %i = add i32 %xn, %k
  %a = getelementptr float, ptr %p, i32 %i
  %va = load float, ptr %a
  %kn = mul i32 %k, %n
  %j = add i32 %kn, %y
  %b = getelementptr float, ptr %q, i32 %j
  %vb = load float, ptr %b
  %product = fmul float %va, %vb
  %sum1 = fadd float %sum, %product
  %k1 = add nsw i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %loop, label %end
end:
  %o = add i32 %xn, %y
  %out = getelementptr float, ptr %q, i32 %o
  store float %sum1, ptr %out
)");
  ASSERT_EQ(found.size(), 3u);
  expectCounts(found[0], 8, 0, 9);
  expectCounts(found[1], 8, 9, 0);
}

// Members of structures are near; what is loaded, and differs, is anywhere.
TEST(LaneAxis, KnowsStepsAndLoadedIndices) {
  const auto found = axes("  %m = getelementptr [3 x float], ptr %p, i32 %y, i32 1\n"
                          "  %v = load i32, ptr %m\n"
                          "  %s = getelementptr [9 x float], ptr %p, i32 %x, i32 1\n"
                          "  store i32 %v, ptr %s\n"
                          "  %w = getelementptr i32, ptr %q, i32 %v\n  store i32 0, ptr %w\n");
  ASSERT_EQ(found.size(), 3u);
  expectCounts(found[0], 2, 0, 1);
  expectCounts(found[1], 1, 1, 1);
}

TEST(LaneAxis, BlocksMayWaitTogether) {
  EXPECT_EQ(axes("  call void @llvm.nvvm.barrier0()\n" + store).size(), 3u);
}

TEST(LaneAxis, IsXWhereWarpsAreSeen) {
  for (const char *seen :
       {"  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n",
        "  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %x, i32 1, i32 31)\n",
        "  %l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n",
        "  %o = atomicrmw add ptr %q, i32 1 monotonic\n",
        "  %o = atomicrmw fadd ptr %q, float 1.0 monotonic\n", "  store volatile i32 0, ptr %q\n",
        "  %o = load atomic i32, ptr %q monotonic, align 4\n", "  fence seq_cst\n",
        "  %o = call i32 @vprintf(ptr %p, ptr %q)\n"})
    EXPECT_TRUE(axes(seen + store).empty()) << seen;
}

TEST(LaneAxis, IsXWhereThreadsDifferAlongXOnly) {
  Ir ir("declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndefine void @f(ptr %p, i32 %n) {\n"
        "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %xn = mul i32 %x, %n\n"
        "  %a = getelementptr float, ptr %p, i32 %xn\n  store float 0.0, ptr %a\n  ret void\n}\n");
  EXPECT_TRUE(accessesByAxis(ir.function("f")).empty());
}

} // namespace
