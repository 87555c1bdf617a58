// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// At which places of an array a kernel is at once (access_distance.h).
#include "engine/compiler/simd/analysis/access/access_distance.h"
#include "engine/compiler/simd/plan/gang_width.h"

#include "simd/passes.h"

#include "llvm/IR/ValueSymbolTable.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// %i is blockIdx.x * blockDim.x + threadIdx.x, %j its row's number times %n, and %i; %a and %b are
// the addresses of floats at %i and %j.
Ir code(const std::string &body) {
  return Ir(declarations + R"(
@tile = internal addrspace(3) global [64 x float] poison
define void @f(ptr %p, ptr %q, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul nsw i32 %block, %width
  %i = add nsw i32 %start, %x
  %iw = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %iw
  %row = mul nsw i32 %y, %n
  %j = add nsw i32 %row, %i
  %jw = sext i32 %j to i64
  %b = getelementptr float, ptr %p, i64 %jw
)" + body + "  ret void\n}\n");
}

Places places(const std::string &body) {
  Ir ir = code(body);
  llvm::Function &function = ir.function("f");
  return accessDistances(function, ShapedCode(function, {128, LaneLayout::Kind::Tiled, 32, 32}));
}

std::string loadAt(const std::string &name, const std::string &index,
                   const std::string &array = "%p") {
  return "  %" + name + "w = sext i32 " + index + " to i64\n  %" + name +
         "a = getelementptr float, ptr " + array + ", i64 %" + name + "w\n  %" + name +
         " = load volatile float, ptr %" + name + "a\n";
}

const std::string own = "  %v = load float, ptr %a\n  store float %v, ptr %a\n";

TEST(AccessDistance, OneIsNeither) {
  EXPECT_FALSE(places(own).pieces);
  EXPECT_FALSE(places(own).rows);
  // In the same line, or the next.
  EXPECT_FALSE(places(own + "  %k = add nsw i32 %i, 31\n" + loadAt("w", "%k")).pieces);
}

TEST(AccessDistance, PiecesAreAKnownWayApart) {
  const Places found = places(own + "  %k = add nsw i32 %i, 256\n" + loadAt("w", "%k"));
  EXPECT_TRUE(found.pieces);
  EXPECT_FALSE(found.rows);
  EXPECT_TRUE(places(own + "  %k = sub nsw i32 %i, 32\n" + loadAt("w", "%k")).pieces);
}

TEST(AccessDistance, PiecesAreABlockApart) {
  const std::string next = "  %k = add nsw i32 %i, %width\n" + loadAt("w", "%k");
  EXPECT_TRUE(places(own + next).pieces);
  EXPECT_FALSE(places(own + next).rows);
  // Of a tile twice as wide as the block: blockIdx.x * 2 * blockDim.x.
  EXPECT_TRUE(places("  %twice = shl i32 %start, 1\n  %k = add i32 %twice, %x\n"
                     "  %l = add i32 %k, %width\n" +
                     loadAt("v", "%k") + loadAt("w", "%l"))
                  .pieces);
}

// Those of other threads' rows, and of other threads' blocks.
TEST(AccessDistance, RowsAreTheSameWayApartForAll) {
  const std::string below = "  %k = add nsw i32 %j, %n\n", above = "  %l = sub nsw i32 %j, %n\n";
  EXPECT_TRUE(places("  %v = load float, ptr %b\n" + below + loadAt("w", "%k")).rows);
  const Places found = places(below + above + loadAt("w", "%k") + loadAt("u", "%l"));
  EXPECT_TRUE(found.rows);
  EXPECT_FALSE(found.pieces);
  EXPECT_TRUE(places(below + loadAt("w", "%k") + "  store float 0.0, ptr %b\n").rows);
}

TEST(AccessDistance, NotOfOtherArrays) {
  EXPECT_FALSE(places(own + loadAt("w", "%j", "%q")).rows);
  EXPECT_FALSE(places(own + "  %k = add nsw i32 %i, 256\n" + loadAt("w", "%k", "%q")).pieces);
}

TEST(AccessDistance, NotOfSharedMemoryNorOfWhatLiesAnyhow) {
  const std::string in_tile = "  %s = getelementptr float, ptr addrspace(3) @tile, i32 %x\n"
                              "  %t = getelementptr float, ptr addrspace(3) %s, i32 32\n"
                              "  store float 0.0, ptr addrspace(3) %s\n"
                              "  store float 0.0, ptr addrspace(3) %t\n";
  EXPECT_FALSE(places(in_tile).pieces);
  const std::string every_second = "  %k = shl nsw i32 %i, 1\n  %l = add nsw i32 %k, 256\n";
  EXPECT_FALSE(places(every_second + loadAt("u", "%k") + loadAt("w", "%l")).pieces);
  // Where a lane goes, its data say.
  const std::string anywhere = "  %m = load i32, ptr %a\n  %k = add nsw i32 %m, 256\n";
  EXPECT_FALSE(places(anywhere + loadAt("u", "%m") + loadAt("w", "%k")).pieces);
}

TEST(AccessDistance, CommonRowsNeedGangsOfRows) {
  const auto common = [](const std::string &body) {
    Ir ir = code(body);
    return wantsRows(ir.function("f"), {}, {});
  };
  EXPECT_TRUE(common("  %k = add nsw i32 %j, %n\n  %v = load float, ptr %b\n" + loadAt("w", "%k")));
  EXPECT_FALSE(common(own));
}

} // namespace
