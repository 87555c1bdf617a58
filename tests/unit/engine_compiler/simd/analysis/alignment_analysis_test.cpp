// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of low bits (alignment_analysis.h). Gangs here are 32 lanes in a row.
#include "engine/compiler/simd/analysis/alignment_analysis.h"
#include "simd/passes.h"

#include "llvm/IR/ValueSymbolTable.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;

namespace {

// "value/count" of %v, which the code computes; the value modulo 2^count.
std::string lowBits(const std::string &code, LaneLayout layout = row(32)) {
  Ir ir(declarations +
        "define void @f(ptr %p, i32 %n, ptr %parameters) {\n"
        "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
        "  %wide = zext i32 %x to i64\n"
        "  %own = getelementptr i32, ptr %p, i64 %wide\n"
        "  %u = load i32, ptr %own, align 4\n"
        "  %base = load ptr, ptr %parameters, align 8, !align !0\n" +
        code + "  ret void\n}\n!0 = !{i64 128}\n");
  llvm::Function &function = ir.function("f");
  const ShapedCode analysed(function, layout);
  const LowBits known = knownAlignmentOf(*function.getValueSymbolTable()->lookup("v"),
                                         analysed.shapes, ir.module().getDataLayout());
  const uint64_t modulus = known.count < 64 ? uint64_t(1) << known.count : 0;
  return std::to_string(modulus ? known.value % modulus : known.value) + "/" +
         std::to_string(known.count);
}

TEST(AlignmentAnalysis, OfThreadIndices) {
  EXPECT_EQ(lowBits("  %v = add i32 %x, 3\n"), "3/5");
  EXPECT_EQ(lowBits("  %v = sub i32 %x, 1\n"), "31/5");
  EXPECT_EQ(lowBits("  %t = shl i32 %x, 3\n  %v = or disjoint i32 %t, 7\n"), "7/8");
  EXPECT_EQ(lowBits("  %t = mul i32 %x, 24\n  %v = add i32 %t, 1000\n"), "232/8");
  EXPECT_EQ(lowBits("  %t = add i32 %x, 9\n  %v = mul i32 %t, 4\n"), "36/7");
  EXPECT_EQ(lowBits("  %t = add i64 %wide, 9\n  %v = trunc i64 %t to i32\n"), "9/5");
}

// Each row begins with threadIdx.x == 0.
TEST(AlignmentAnalysis, OfRows) {
  const LaneLayout rows{32, LaneLayout::Kind::Tiled, 16, 16, true};
  EXPECT_EQ(lowBits("  %t = shl i32 %y, 4\n  %s = add i32 %t, %x\n  %v = add i32 %s, 5\n", rows),
            "5/4");
}

TEST(AlignmentAnalysis, OfAddresses) {
  const std::string index = "  %i = mul i64 %wide, 8\n";
  EXPECT_EQ(lowBits(index + "  %a = getelementptr i32, ptr %base, i64 %i\n"
                            "  %v = getelementptr i8, ptr %a, i64 12\n"),
            "12/7");
  EXPECT_EQ(lowBits(index + "  %s = addrspacecast ptr %base to ptr addrspace(3)\n"
                            "  %v = getelementptr [9 x i32], ptr addrspace(3) %s, i64 2, i64 %i\n"),
            "72/7");
  EXPECT_EQ(lowBits(index + "  %v = getelementptr i32, ptr %p, i64 %i\n"), "0/0"); // of any pointer
}

TEST(AlignmentAnalysis, NotOfUnknownValues) {
  EXPECT_EQ(lowBits("  %v = add i32 %n, 4\n"), "0/0");
  EXPECT_EQ(lowBits("  %v = add i32 %u, 4\n"), "0/0");
  EXPECT_EQ(lowBits("  %t = mul i32 %u, 64\n  %v = add i32 %t, 4\n"), "0/0"); // no first lane's
  EXPECT_EQ(lowBits("  %t = mul i32 %n, 64\n  %v = add i32 %t, 4\n"), "4/6");
  EXPECT_EQ(lowBits("  %t = mul i32 %n, 64\n  %v = or i32 %t, 4\n"), "0/0");
}

} // namespace
