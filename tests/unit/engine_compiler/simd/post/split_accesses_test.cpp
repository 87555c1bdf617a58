// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of more than a register (split_accesses.h). Registers here have 64 bytes.
#include "engine/compiler/simd/post/split_accesses.h"
#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;

namespace {

std::string split(const std::string &code) {
  Ir ir("declare <32 x float> @llvm.masked.load.v32f32.p0(ptr, i32, <32 x i1>, <32 x float>)\n"
        "declare void @llvm.masked.store.v32f32.p0(<32 x float>, ptr, i32, <32 x i1>)\n"
        "define void @f(ptr %p, ptr %q, <32 x i1> %m, <32 x float> %x) {\n" +
        code + "  ret void\n}\n!0 = !{i32 1}\n");
  splitAccesses(ir.function("f"), 64);
  ir.verify();
  return ir.text("f");
}

TEST(SplitAccesses, InTheOrderOfTheirAddresses) {
  expectInOrder(split("  %v = load <64 x float>, ptr %p, align 32\n"
                      "  store <64 x float> %v, ptr %q, align 64, !nontemporal !0\n"),
                {"load <16 x float>, ptr %", "align 32", "ptr %p, i64 64",
                 "load <16 x float>, ptr %", "align 32", "ptr %p, i64 128", "load <16 x float>",
                 "ptr %p, i64 192", "load <16 x float>", "store <16 x float> %",
                 "align 64, !nontemporal", "ptr %q, i64 64", "store <16 x float> %",
                 "align 64, !nontemporal"});
}

// LLVM makes one instruction of a load and what is done with it, in the order of the latter.
TEST(SplitAccesses, WithWhatIsDoneWithThem) {
  const std::string text =
      split("  %v = load <32 x float>, ptr %p\n  %w = load <32 x float>, ptr %q\n"
            "  %s = fadd nnan <32 x float> %v, %w\n"
            "  %t = fmul <32 x float> %s, %x\n"
            "  store <32 x float> %t, ptr %q\n");
  expectInOrder(text, {"load <16 x float>", "load <16 x float>", "load <16 x float>",
                       "load <16 x float>", "fadd nnan <16 x float>", "fadd nnan <16 x float>",
                       "fmul <32 x float>", "store <16 x float>", "store <16 x float>"});
  // Not if the loaded value has other users.
  expectInOrder(split("  %v = load <32 x float>, ptr %p\n  %s = fadd <32 x float> %v, %x\n"
                      "  %t = fmul <32 x float> %s, %v\n  store <32 x float> %t, ptr %q\n"),
                {"fadd <32 x float>", "fmul <32 x float>"});
}

TEST(SplitAccesses, UnderMasks) {
  expectInOrder(
      split("  %v = call <32 x float> @llvm.masked.load.v32f32.p0(ptr %p, i32 8, <32 x i1> %m,"
            " <32 x float> zeroinitializer)\n"
            "  call void @llvm.masked.store.v32f32.p0(<32 x float> %v, ptr %q, i32 4,"
            " <32 x i1> %m)\n"),
      {"@llvm.masked.load.v16f32.p0(ptr %", "i32 8, <16 x i1> %", "ptr %p, i64 64",
       "@llvm.masked.load.v16f32.p0(ptr %", "i32 8, <16 x i1> %",
       "@llvm.masked.store.v16f32.p0(<16 x float> %", "i32 4, <16 x i1> %", "ptr %q, i64 64",
       "@llvm.masked.store.v16f32.p0(<16 x float> %"});
}

// Registers of which no lane is in the mask are neither loaded nor stored: LLVM 19 loads some of
// them without a mask.
TEST(SplitAccesses, OnlyRegistersWithLanesOfTheMask) {
  std::string first_lane = "<i1 true";
  for (int i = 1; i < 32; ++i)
    first_lane += ", i1 false";
  const std::string text =
      split("  %one = and <32 x i1> %m, " + first_lane +
            ">\n"
            "  %v = call <32 x float> @llvm.masked.load.v32f32.p0(ptr %p, i32 4, <32 x i1> %one,"
            " <32 x float> %x)\n"
            "  %w = fneg <32 x float> %v\n"
            "  call void @llvm.masked.store.v32f32.p0(<32 x float> %w, ptr %q, i32 4,"
            " <32 x i1> %one)\n");
  EXPECT_EQ(count(text, "call <16 x float> @llvm.masked.load"), 1u) << text;
  EXPECT_EQ(count(text, "call void @llvm.masked.store"), 1u) << text;
  EXPECT_EQ(count(text, "i64 64"), 0u) << text;
}

// Aligned to less than a register: pieces are aligned to what the whole was, or less.
TEST(SplitAccesses, KeepWhatIsKnownOfAlignment) {
  expectInOrder(split("  %v = load <24 x double>, ptr %p, align 128\n"
                      "  store volatile <24 x double> %v, ptr %q\n"),
                {"load <8 x double>, ptr %", "align 128", "load <8 x double>, ptr %", "align 64",
                 "load <8 x double>, ptr %", "align 128"});
}

// What fits a register, what may happen only once, masks, and what has no whole number of
// registers.
TEST(SplitAccesses, OthersStay) {
  for (const char *code :
       {"  %v = load <16 x float>, ptr %p\n  store <16 x float> %v, ptr %q\n",
        "  %v = load volatile <32 x float>, ptr %p\n  store volatile <32 x float> %v, ptr %q\n",
        "  %v = load <1024 x i1>, ptr %p\n  store <1024 x i1> %v, ptr %q\n",
        "  %v = load <20 x float>, ptr %p\n  store <20 x float> %v, ptr %q\n"})
    expectNone(split(code), {"getelementptr", "shufflevector"});
}

} // namespace
