// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The register estimate: the most 32-bit values alive at once, within ptxas' limits.
#include "module/description/register_estimate.h"

#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

// Loads `count` values of `type`, all of which are alive before they are added up.
uint32_t estimateOf(unsigned count, const std::string &type, const std::string &add) {
  std::string text = "define void @f(ptr %p) {\n";
  for (unsigned i = 0; i < count; ++i)
    text += "  %v" + std::to_string(i) + " = load volatile " + type + ", ptr %p\n";
  std::string sum = "%v0";
  for (unsigned i = 1; i < count; ++i) {
    const std::string next = "%s" + std::to_string(i);
    text += "  " + next + " = " + add + " " + type + " " + sum + ", %v" + std::to_string(i) + "\n";
    sum = next;
  }
  text += "  store " + type + " " + sum + ", ptr %p\n  ret void\n}\n";
  Ir ir(text);
  return estimateRegisters(ir.function("f"));
}

TEST(RegisterEstimate, StaysWithinPtxasLimits) {
  Ir ir("define void @empty() { ret void }\ndeclare void @elsewhere()\n");
  EXPECT_EQ(estimateRegisters(ir.function("empty")), 10u);
  EXPECT_EQ(estimateRegisters(ir.function("elsewhere")), 0u);
  EXPECT_EQ(estimateOf(400, "float", "fadd"), 255u);
}

TEST(RegisterEstimate, GrowsWithLiveValues) {
  const uint32_t few = estimateOf(20, "float", "fadd"), many = estimateOf(60, "float", "fadd");
  EXPECT_GE(few, 20u);
  EXPECT_LE(few, 32u);
  EXPECT_EQ(many - few, 40u);
}

TEST(RegisterEstimate, WideValuesTakeTwo) {
  const uint32_t narrow = estimateOf(40, "i32", "add"), wide = estimateOf(40, "i64", "add");
  EXPECT_EQ(wide - narrow, 40u);
  EXPECT_EQ(estimateOf(40, "double", "fadd"), wide);
}

TEST(RegisterEstimate, ValuesOneAfterAnotherShareARegister) {
  std::string text = "define void @f(ptr %p) {\n";
  for (int i = 0; i < 100; ++i) {
    const std::string name = "%v" + std::to_string(i);
    text +=
        "  " + name + " = load volatile i32, ptr %p\n  store volatile i32 " + name + ", ptr %p\n";
  }
  Ir ir(text + "  ret void\n}\n");
  EXPECT_EQ(estimateRegisters(ir.function("f")), 12u); // the pointer, a value, and what all need
}

// The access adds the constant, so one register serves all addresses of an unrolled loop, and none
// those within a variable.
TEST(RegisterEstimate, AddressesThatDifferByAConstantShareARegister) {
  const auto estimate = [](const std::string &address) {
    std::string before, after;
    for (int i = 0; i < 50; ++i) {
      const std::string n = std::to_string(i);
      std::string text = address;
      for (size_t at; (at = text.find('#')) != std::string::npos;)
        text.replace(at, 1, n);
      before += text;
      after += "  store volatile i32 " + n + ", ptr %a" + n + "\n";
    }
    Ir ir("@tile = external global [64 x i32]\ndefine void @f(ptr %p, i64 %y) {\n" + before +
          after + "  ret void\n}\n");
    return estimateRegisters(ir.function("f"));
  };
  EXPECT_LE(estimate("  %a# = getelementptr [16 x [64 x i32]], ptr %p, i64 0, i64 %y, i64 #\n"),
            12u);
  EXPECT_LE(estimate("  %b# = getelementptr i32, ptr %p, i64 %y\n"
                     "  %a# = getelementptr i8, ptr %b#, i64 #\n"),
            12u);
  EXPECT_LE(estimate("  %a# = getelementptr i32, ptr @tile, i64 #\n"), 10u);
  // Others are numbers of their own.
  EXPECT_GE(estimate("  %v# = load volatile i64, ptr %p\n"
                     "  %a# = getelementptr i32, ptr %p, i64 %v#\n"),
            100u);
}

// What a loop carries round is alive in all of it, though used only at the end.
TEST(RegisterEstimate, LoopsKeepValuesAlive) {
  std::string text = "define void @f(ptr %p, i32 %n) {\nentry:\n";
  for (int i = 0; i < 30; ++i)
    text += "  %v" + std::to_string(i) + " = load volatile i32, ptr %p\n";
  text += "  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
          "  %next = add i32 %i, 1\n  %more = icmp slt i32 %next, %n\n"
          "  br i1 %more, label %loop, label %end\nend:\n";
  for (int i = 0; i < 30; ++i)
    text += "  store volatile i32 %v" + std::to_string(i) + ", ptr %p\n";
  Ir ir(text + "  ret void\n}\n");
  const uint32_t registers = estimateRegisters(ir.function("f"));
  EXPECT_GE(registers, 30u + 2 + 2); // and the pointer, the counter
  EXPECT_LE(registers, 44u);
}

TEST(RegisterEstimate, PredicatesAreFree) { EXPECT_LE(estimateOf(40, "i1", "xor"), 12u); }

} // namespace
