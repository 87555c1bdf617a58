// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gangs of half a warp, for kernels that keep many sums (gang_width.h).
#include "engine/compiler/simd/plan/gang_width.h"

#include "engine/compiler/simd/form/loop_form.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "simd/passes.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

constexpr VectorRegisters avx512 = {32, 64}, avx2 = {16, 32};

// The lanes of gangs that keep so many sums in a loop, with a chain of `depth` additions to each in
// a round.
unsigned lanesForSums(unsigned sums, unsigned depth = 1, const VectorRegisters &registers = avx512,
                      const std::string &variant = "simd:16x256:whole",
                      const std::string &more = "") {
  std::string phis, adds, stores;
  for (unsigned i = 0; i < sums; ++i) {
    std::string last = "%s" + std::to_string(i);
    const std::string next = "%t" + std::to_string(i) + ".";
    phis += "  " + last + " = phi i32 [ %first, %entry ], [ " + next + std::to_string(depth - 1) +
            ", %loop ]\n";
    for (unsigned k = 0; k < depth; ++k) {
      adds += "  " + next + std::to_string(k) + " = xor i32 " + last + ", %n\n";
      last = next + std::to_string(k);
    }
    stores += "  store i32 " + last + ", ptr %own\n";
  }
  Ir ir(declarations +
        "declare i32 @llvm.nvvm.activemask()\n"
        "define void @f(ptr %p, i32 %n) {\nentry:\n"
        "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %wide = zext i32 %x to i64\n"
        "  %own = getelementptr i32, ptr %p, i64 %wide\n"
        "  %first = load i32, ptr %own\n" +
        more + "  br label %loop\nloop:\n  %k = phi i64 [ 0, %entry ], [ %next, %loop ]\n" + phis +
        adds +
        "  %next = add i64 %k, 1\n  %go = icmp slt i64 %next, 1000\n"
        "  br i1 %go, label %loop, label %end\nend:\n" +
        stores + "  ret void\n}\n");
  canonicalizeLoops(ir.function("f"));
  const Variant blocks = parseVariant(variant);
  return narrowerLayout(ir.function("f"), blocks, layoutFor(blocks, 32, false), registers).lanes;
}

// 32 lanes take two registers of AVX-512 for each sum.
TEST(NarrowerGangs, WhereSumsFillTheRegisters) {
  EXPECT_EQ(lanesForSums(8), 32u);
  EXPECT_EQ(lanesForSums(11), 32u);
  EXPECT_EQ(lanesForSums(12), 16u);
  EXPECT_EQ(lanesForSums(28), 16u);
  EXPECT_EQ(lanesForSums(16, 4), 16u);
}

// They would be in memory in any case.
TEST(NarrowerGangs, NotIfTheyDoNotFitEither) { EXPECT_EQ(lanesForSums(40), 32u); }

TEST(NarrowerGangs, NotWithSmallRegisters) {
  for (unsigned sums = 1; sums < 16; ++sums)
    EXPECT_EQ(lanesForSums(sums, 1, avx2), 32u) << sums;
}

TEST(NarrowerGangs, NotForWarps) {
  EXPECT_EQ(lanesForSums(16, 1, avx512, "simd:16x256:whole",
                         "  %m = call i32 @llvm.nvvm.activemask()\n"
                         "  store i32 %m, ptr %p\n"),
            32u);
  EXPECT_EQ(lanesForSums(16, 1, avx512, "simd:32:partial"), 32u);
}

} // namespace
