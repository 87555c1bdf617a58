// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers that threads have in their warps, in gangs of several (warp_uniformity.h).
#include "engine/compiler/simd/analysis/warp_uniformity.h"

#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "engine/compiler/simd/versioning/coherent_branch_versioning.h"
#include "engine/compiler/simd/versioning/known_lane_peeling.h"
#include "simd/passes.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

std::string numbered(const std::string &body, const LaneLayout &layout = row(64)) {
  Ir ir(ofThread(body + "  call void @out(i32 %l)\n  ret void\n"));
  numberLanes(ir.function("f"), layout);
  ir.verify();
  return ir.text("f");
}

TEST(WarpUniformity, KnowTheirLanes) {
  expectInOrder(numbered("  %l = and i32 %x, 31\n"),
                {"%0 = call i32 @heddle.lane()", "%l = and i32 %0, 31"});
  expectInOrder(numbered("  %b = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
                         "  %c = mul i32 %b, %n\n  %i = add i32 %c, %x\n  %l = and i32 %i, 31\n"),
                {"@heddle.lane()", "%l = and i32 %0, 31"});
}

// So do fewer low bits, or some in between.
TEST(WarpUniformity, KnowTheirLowBits) {
  for (const std::string bits : {"1", "15", "6", "63"})
    expectInOrder(numbered("  %l = and i32 %x, " + bits + "\n"),
                  {"@heddle.lane()", "%l = and i32 %0, " + bits});
  expectNone(numbered("  %l = and i32 %x, 64\n"), {"@heddle.lane()"});
  expectInOrder(numbered("  %l = and i32 %x, 3\n", row(8)), {"@heddle.lane()"});
  expectInOrder(numbered("  %i = add i32 %x, 16\n  %l = and i32 %i, 15\n"), {"@heddle.lane()"});
}

// Numbers that do not begin at a multiple of 32, other steps, and other gangs.
TEST(WarpUniformity, KnowNoOtherNumbers) {
  for (const char *body :
       {"  %i = add i32 %x, %n\n  %l = and i32 %i, 31\n",
        "  %i = mul i32 %x, 2\n  %l = and i32 %i, 31\n",
        "  %i = add i32 %x, 16\n  %l = and i32 %i, 31\n", "  %l = and i32 %n, 31\n"})
    expectNone(numbered(body), {"@heddle.lane()"});
  expectNone(numbered("  %l = and i32 %x, 31\n", row(16)), {"@heddle.lane()"});
  expectNone(numbered("  %l = and i32 %x, 31\n", {128, LaneLayout::Kind::Tiled, 16, 16, true}),
             {"@heddle.lane()"});
}

// Where only lanes of the gang's first warp are, the number in the warp is that in the gang.
TEST(WarpUniformity, TheFirstIsTheFirstLanes) {
  const auto within = [](const std::string &bound) {
    Ir ir(ofThread("  %l = and i32 %x, 31\n  %c = icmp ult i32 %x, " + bound +
                   "\n  br i1 %c, label %a, label %end\na:\n  call void @out(i32 %l)\n"
                   "  br label %end\nend:\n  ret void\n"));
    canonicalizeLoops(ir.function("f"));
    numberLanes(ir.function("f"), row(128));
    peelKnownLanes(ir.function("f"), row(128));
    ir.verify();
    const std::string text = ir.text("f");
    expectInOrder(text, {"icmp ult i32 %x, 128", "icmp ult i32 %", ", " + bound});
    return blockText(text, "a").find("@out(i32 %l)") == std::string::npos;
  };
  EXPECT_TRUE(within("32"));
  EXPECT_TRUE(within("16"));
  EXPECT_FALSE(within("33"));
  EXPECT_FALSE(within("64"));
}

// No gang is all of one lane a warp.
TEST(WarpUniformity, HaveNoCopyForOneLaneEach) {
  Ir ir(ofThread("  %l = and i32 %x, 31\n  %c = icmp eq i32 %l, 0\n"
                 "  br i1 %c, label %a, label %end\na:\n  store i32 %x, ptr %p\n"
                 "  br label %end\nend:\n  ret void\n"));
  canonicalizeLoops(ir.function("f"));
  numberLanes(ir.function("f"), row(64));
  versionCoherentBranches(ir.function("f"), row(64));
  ir.verify();
  EXPECT_EQ(count(ir.text("f"), "store i32"), 1u);
}

} // namespace
