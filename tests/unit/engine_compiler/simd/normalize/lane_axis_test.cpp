// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the code of turned launches asks for its place (lane_axis.h).
#include "engine/compiler/simd/normalize/lane_axis.h"

#include "simd/passes.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

const std::string all = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
define void @f() {
  %x = call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  ret void
}
)";

std::string afterTurning(unsigned axis) {
  Ir ir(declarations + all);
  turnAxes(ir.function("f"), axis);
  ir.verify();
  return ir.text("f");
}

TEST(TurnAxes, ExchangesXAndY) {
  expectInOrder(afterTurning(1), {"%x = call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.y()",
                                  "%y = call range(i32 0, 4) i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
                                  "%z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()",
                                  "%size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()",
                                  "%block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
                                  "%blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()"});
}

TEST(TurnAxes, ExchangesXAndZ) {
  expectInOrder(afterTurning(2), {"%x = call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()",
                                  "sreg.tid.y()", "%z = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
                                  "sreg.ntid.z()", "sreg.ctaid.y()", "sreg.nctaid.x()"});
}

TEST(TurnAxes, IsPartOfTheVariantsName) {
  const Variant whole = parseVariant("simd:16x256:whole:y");
  EXPECT_EQ(whole.lane_axis, 1u);
  EXPECT_TRUE(whole.whole);
  const Variant warps = parseVariant("simd:32:partial:warps:z");
  EXPECT_EQ(warps.lane_axis, 2u);
  EXPECT_TRUE(warps.warps);
  EXPECT_EQ(parseVariant("simd:128:full").lane_axis, 0u);
  EXPECT_THROW(parseVariant("simd:128:full:x"), std::runtime_error);
}

} // namespace
