// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels go over arrays in steps of the grid, each element by itself (grid_stride.h).
#include "engine/launch_analysis/grid_stride.h"

#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

struct Code {
  std::string before; // the loop
  std::string start = "%place", step = "%stride";
  std::string body = "  %a = getelementptr float, ptr %in, i64 %w\n  %v = load float, ptr %a\n"
                     "  %b = getelementptr float, ptr %out, i64 %w\n  store float %v, ptr %b\n";
  std::string phis, next = "%next";
  std::string after;
};

// for (i = start; i < n; i += step) body; %w is the index in 64 bits.
GridStride found(const Code &code) {
  Ir ir(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
@table = addrspace(4) externally_initialized global [4 x float] zeroinitializer
define void @f(i32 %n, ptr %in, ptr %out, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %first = mul i32 %b0, %d
  %place = add i32 %first, %t
  %stride = mul i32 %d, %g
)" + code.before +
        R"(
  %any = icmp slt i32 %place, %n
  br i1 %any, label %ahead, label %end
ahead:
  br label %loop
loop:
  %i = phi i32 [ )" +
        code.start + ", %ahead ], [ %next, %loop ]\n" + code.phis + "  %w = sext i32 %i to i64\n" +
        code.body + "  %next = add nsw i32 %i, " + code.step + "\n  %go = icmp slt i32 " +
        code.next + ", %n\n  br i1 %go, label %loop, label %over\nover:\n  br label %end\nend:\n" +
        code.after + "  ret void\n}\n");
  ir.verify();
  KernelInfo kernel;
  kernel.parameters = {{0, 4}, {8, 8}, {16, 8}, {24, 4}};
  return gridStride(ir.function("f"), kernel);
}

bool isFound(const Code &code) { return !found(code).arrays.empty(); }

TEST(GridStride, FindsItsArraysAndItsBound) {
  const GridStride loop = found({});
  EXPECT_EQ(loop.bound_offset, 0u);
  EXPECT_EQ(loop.bound_bytes, 4u);
  ASSERT_EQ(loop.arrays.size(), 2u);
  EXPECT_EQ(loop.arrays[0].parameter, 8u);
  EXPECT_EQ(loop.arrays[0].element_bytes, 4u);
  EXPECT_FALSE(loop.arrays[0].stored);
  EXPECT_EQ(loop.arrays[1].parameter, 16u);
  EXPECT_TRUE(loop.arrays[1].stored);
}

TEST(GridStride, MayBeOfStructures) {
  const GridStride loop =
      found({.body = "  %a = getelementptr {double, i32}, ptr %out, i64 %w\n"
                     "  %c = getelementptr i8, ptr %a, i64 8\n  store i32 1, ptr %c\n"});
  ASSERT_EQ(loop.arrays.size(), 1u);
  EXPECT_EQ(loop.arrays[0].element_bytes, 16u);
}

TEST(GridStride, MayReadConstantMemory) {
  EXPECT_TRUE(isFound({.body = Code().body + "  %k = load float, ptr addrspace(4) @table\n"}));
}

// What one round leaves for the next, or for after the loop.
TEST(GridStride, CarriesNothing) {
  EXPECT_FALSE(isFound({.body = Code().body + "  %more = fadd float %sum, %v\n",
                        .phis = "  %sum = phi float [ 0.0, %ahead ], [ %more, %loop ]\n"}));
  EXPECT_FALSE(isFound({.after = "  store float 0.0, ptr %out\n"}));
  EXPECT_FALSE(isFound({.before = "  store float 0.0, ptr %out\n"}));
  EXPECT_FALSE(isFound({.before = "  %local = alloca float\n"}));
}

TEST(GridStride, GoesThroughAllElements) {
  EXPECT_FALSE(isFound({.start = "%t"}));
  EXPECT_FALSE(isFound({.start = "%first"}));
  EXPECT_FALSE(isFound({.step = "%d"}));
  EXPECT_FALSE(isFound({.step = "256"}));
  EXPECT_FALSE(isFound({.next = "%i"}));
}

// Who asks for its place, or the size of the grid, for another reason.
TEST(GridStride, AsksForNothingElse) {
  for (const char *name : {"%t", "%b0", "%d", "%g", "%place", "%stride", "%first"})
    EXPECT_FALSE(isFound({.before = std::string("  %other = add i32 ") + name + ", 1\n"})) << name;
  EXPECT_FALSE(isFound({.before = "  %small = icmp slt i32 %place, %m\n"}));
  EXPECT_FALSE(isFound({.before = "  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"}));
}

TEST(GridStride, AccessesItsOwnElements) {
  for (const char *where : {"getelementptr float, ptr %out, i64 1",
                            "getelementptr i8, ptr %b, i64 4", "getelementptr i8, ptr %b, i64 -4",
                            "getelementptr float, ptr %b, i64 %w", "inttoptr i64 %w to ptr"})
    EXPECT_FALSE(
        isFound({.body = Code().body + "  %c = " + where + "\n  store float %v, ptr %c\n"}))
        << where;
  EXPECT_FALSE(isFound({.body = Code().body + "  store volatile float %v, ptr %b\n"}));
  EXPECT_FALSE(
      isFound({.body = Code().body + "  call void @llvm.memset.p0.i64(ptr %b, i8 0, i64 8, "
                                     "i1 false)\n"}));
  EXPECT_FALSE(isFound({.body = Code().body + "  %o = atomicrmw add ptr %b, i32 1 monotonic\n"}));
}

} // namespace
