// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fminf and fmaxf in fewer instructions (minima.h).
#include "engine/compiler/simd/post/minima.h"
#include "ir.h"

#include "llvm/Transforms/InstCombine/InstCombine.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;

namespace {

/// What define_arithmetic.h makes of a maximum, or a minimum, of two numbers, named %r.
std::string minimumOf(const std::string &left, const std::string &right, bool is_maximum,
                      const std::string &result = "r") {
  const std::string type = "<16 x float> ", bits = "<16 x i32> ";
  const std::string id = "%" + result;
  return "  " + id + ".a = bitcast " + type + left + " to " + bits + "\n  " + id + ".b = bitcast " +
         type + right + " to " + bits + "\n  " + id + ".c = " + (is_maximum ? "and " : "or ") +
         bits + id + ".a, " + id + ".b\n  " + id + ".d = bitcast " + bits + id + ".c to " + type +
         "\n  " + id + ".e = fcmp oeq " + type + left + ", " + right + "\n  " + id + ".m = call " +
         type + "@llvm." + (is_maximum ? "max" : "min") + "num.v16f32(" + type + left + ", " +
         type + right + ")\n  " + id + " = select <16 x i1> " + id + ".e, " + type + id + ".d, " +
         type + id + ".m\n";
}

std::string functionOf(const std::string &code) {
  return "declare <16 x float> @llvm.maxnum.v16f32(<16 x float>, <16 x float>)\n"
         "declare <16 x float> @llvm.minnum.v16f32(<16 x float>, <16 x float>)\n"
         "define <16 x float> @f(ptr %p, <16 x float> %x, <16 x float> %y) {\nentry:\n" +
         code + "  ret <16 x float> %r\n}\n";
}

std::string splat(const std::string &number) {
  std::string result = "<";
  for (int i = 0; i < 16; ++i)
    result += (i ? ", float " : "float ") + number;
  return result + ">";
}

std::string ranged(const std::string &code) {
  Ir ir(functionOf(code));
  useRangeInstructions(ir.function("f"));
  ir.verify();
  return ir.text("f");
}

std::string simplified(const std::string &number, bool is_maximum) {
  Ir ir(functionOf(minimumOf("%x", splat(number), is_maximum)));
  ir.run(llvm::InstCombinePass());
  simplifyMinima(ir.function("f"));
  ir.verify();
  return ir.text("f");
}

TEST(Minima, BesideConstantsAreComparisons) {
  expectInOrder(simplified("0.0", true), {"fcmp ogt <16 x float> %x, zeroinitializer", "select"});
  expectInOrder(simplified("1.0", true), {"fcmp ogt <16 x float> %x, ", "select"});
  expectInOrder(simplified("1.0", false), {"fcmp olt <16 x float> %x, ", "select"});
  for (const bool is_maximum : {false, true})
    expectNone(simplified("-2.0", is_maximum), {"num", "oeq"});
}

// x < 0 ? x : 0 is 0 if x is -0, which is less.
TEST(Minima, OfTheOtherZeroAreRanges) {
  Ir ir(functionOf("  %a = fadd <16 x float> %x, %y\n" + minimumOf("%a", splat("0.0"), false)));
  ir.run(llvm::InstCombinePass());
  simplifyMinima(ir.function("f"));
  expectNone(ir.text("f"), {"olt", "ogt"});
  useRangeInstructions(ir.function("f"));
  ir.verify();
  expectInOrder(ir.text("f"), {"range.ps.512(<16 x float> %a, "});
}

TEST(Minima, OfArithmeticAreOneInstruction) {
  const std::string text = ranged("  %a = fadd <16 x float> %x, %y\n"
                                  "  %b = fmul <16 x float> %x, %y\n" +
                                  minimumOf("%a", "%b", false));
  expectInOrder(text, {"range.ps.512(<16 x float> %a, <16 x float> %b, i32 4,"});
  expectNone(text, {"select", "minnum", "mul.ps"});
}

// They might be NaNs that signal.
TEST(Minima, LoadedNumbersAreMultipliedByOne) {
  const std::string text = ranged("  %a = load <16 x float>, ptr %p\n"
                                  "  %b = fmul <16 x float> %x, %y\n" +
                                  minimumOf("%b", "%a", true));
  expectInOrder(text, {"load", "mul.ps.512(<16 x float> %a, <16 x float> <float 1", "i32 8)",
                       "range.ps.512(<16 x float> %b, "});
  EXPECT_EQ(count(text, "mul.ps.512"), 1u) << text;
}

// Of what goes round in a loop only the beginning can signal.
TEST(Minima, LoopsQuietenTheirBeginning) {
  const std::string text = ranged("  %first = load <16 x float>, ptr %p\n  br label %loop\nloop:\n"
                                  "  %old = phi <16 x float> [ %first, %entry ], [ %r, %loop ]\n"
                                  "  %a = fadd <16 x float> %y, %x\n" +
                                  minimumOf("%old", "%a", true) +
                                  "  %more = fcmp ogt float 0.0, 1.0\n"
                                  "  br i1 %more, label %loop, label %end\nend:\n");
  expectInOrder(text, {"load", "mul.ps.512", "loop:", "range.ps.512", "br i1"});
  EXPECT_EQ(count(text, "mul.ps.512"), 1u) << text;
}

TEST(Minima, OtherChoicesStay) {
  const std::string code = minimumOf("%x", "%y", true);
  std::string other = code;
  other.replace(other.find("oeq"), 3, "ueq");
  expectNone(ranged(other), {"range"});
  other = code;
  other.replace(other.find("= and"), 5, "= or");
  expectNone(ranged(other), {"range"});
}

} // namespace
