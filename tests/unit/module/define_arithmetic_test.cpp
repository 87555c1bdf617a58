// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic that C++ leaves undefined has a GPU's results afterwards.
#include "module/passes/define_arithmetic.h"

#include "ir.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

// What `type result = operation` gives, as LLVM writes constants.
std::string result(const std::string &type, const std::string &operation) {
  Ir ir("define " + type + " @f() {\n  %r = " + operation + "\n  ret " + type + " %r\n}\n");
  ir.run(DefineArithmeticPass()).run(llvm::InstSimplifyPass());
  std::string text;
  llvm::raw_string_ostream(text) << *llvm::cast<llvm::ReturnInst>(
                                         ir.function("f").getEntryBlock().getTerminator())
                                         ->getReturnValue();
  return text;
}

TEST(DefineDivision, ByZero) { // as an H200 does
  EXPECT_EQ(result("i32", "sdiv i32 7, 0"), "i32 -1");
  EXPECT_EQ(result("i32", "udiv i32 7, 0"), "i32 -1");
  EXPECT_EQ(result("i32", "srem i32 7, 0"), "i32 -1");
  EXPECT_EQ(result("i32", "urem i32 7, 0"), "i32 -1");
  EXPECT_EQ(result("i64", "sdiv i64 -7, 0"), "i64 -1");
  EXPECT_EQ(result("i64", "srem i64 -7, 0"), "i64 -1");
}

TEST(DefineDivision, OfTheSmallestByMinusOne) {
  EXPECT_EQ(result("i32", "sdiv i32 -2147483648, -1"), "i32 -2147483648");
  EXPECT_EQ(result("i32", "srem i32 -2147483648, -1"), "i32 0");
  EXPECT_EQ(result("i64", "sdiv i64 -9223372036854775808, -1"), "i64 -9223372036854775808");
  EXPECT_EQ(result("i32", "udiv i32 -2147483648, -1"), "i32 0");
  EXPECT_EQ(result("i32", "sdiv i32 -7, -1"), "i32 7");
}

TEST(DefineDivision, OrdinaryOnesAreAsEver) {
  EXPECT_EQ(result("i32", "sdiv i32 -7, 2"), "i32 -3");
  EXPECT_EQ(result("i32", "srem i32 -7, 2"), "i32 -1");
  EXPECT_EQ(result("i8", "udiv i8 -1, 2"), "i8 127");
  EXPECT_EQ(result("<2 x i32>", "sdiv <2 x i32> <i32 8, i32 9>, <i32 0, i32 3>"),
            "<2 x i32> <i32 -1, i32 3>");
}

TEST(DefineDivision, KnownDivisorsCostNothing) {
  const std::string text = "define i32 @f(i32 %x) {\n  %r = sdiv i32 %x, 10\n  ret i32 %r\n}\n";
  Ir ir(text);
  expectInOrder(ir.run(DefineArithmeticPass()).text("f"), {"%r = sdiv i32 %x, 10", "ret"});
  expectNone(ir.text("f"), {"select"});
}

TEST(DefineDivision, UnknownDivisorsAreReplacedBeforeTheyCanTrap) {
  Ir ir("define i32 @f(i32 %x, i32 %y) {\n  %r = sdiv i32 %x, %y\n  ret i32 %r\n}\n");
  expectInOrder(ir.run(DefineArithmeticPass()).text("f"),
                {"icmp eq i32 %y, 0", "select i1", "i32 1, i32 %y", "sdiv i32 %x, ", "select i1",
                 "i32 -1", "ret i32 %r"});
}

// PTX ISA, "shl", "shr": amounts beyond the width count as the width.
TEST(DefineShift, BeyondTheWidth) {
  EXPECT_EQ(result("i32", "shl i32 1, 31"), "i32 -2147483648");
  EXPECT_EQ(result("i32", "shl i32 1, 32"), "i32 0");
  EXPECT_EQ(result("i32", "lshr i32 -1, 32"), "i32 0");
  EXPECT_EQ(result("i32", "lshr i32 -1, -1"), "i32 0");
  EXPECT_EQ(result("i32", "ashr i32 -5, 32"), "i32 -1");
  EXPECT_EQ(result("i32", "ashr i32 5, 99"), "i32 0");
  EXPECT_EQ(result("i64", "shl i64 3, 64"), "i64 0");
  EXPECT_EQ(result("<2 x i32>", "shl <2 x i32> <i32 1, i32 1>, <i32 4, i32 32>"),
            "<2 x i32> <i32 16, i32 0>");
}

// `x >> (32 - N)` with N a template parameter.
TEST(DefineShift, ByAConstantBeyondTheWidth) {
  for (const char *operation : {"shl", "lshr"}) {
    Ir ir(std::string("define i32 @f(i32 %x) {\n  %r = ") + operation +
          " i32 %x, 32\n  ret i32 %r\n}\n");
    ir.run(DefineArithmeticPass()).run(llvm::InstSimplifyPass());
    expectInOrder(ir.text("f"), {"ret i32 0"});
  }
}

TEST(DefineShift, ByAConstantWithinItCostsNothing) {
  Ir ir("define i32 @f(i32 %x) {\n  %r = shl nsw i32 %x, 3\n  ret i32 %r\n}\n");
  expectInOrder(ir.run(DefineArithmeticPass()).text("f"), {"%r = shl nsw i32 %x, 3"});
}

// A shift that may be out of range must not promise what only in-range ones keep.
TEST(DefineShift, FlagsGo) {
  Ir ir("define i32 @f(i32 %x, i32 %n) {\n  %r = shl nuw nsw i32 %x, %n\n  ret i32 %r\n}\n");
  expectNone(ir.run(DefineArithmeticPass()).text("f"), {"nuw", "nsw"});
}

// PTX ISA, "cvt": out of range saturates; NaN becomes 0 from float to 32 bits, else the highest
// bit.
TEST(DefineConversion, Saturates) {
  EXPECT_EQ(result("i32", "fptosi float 1.0e10 to i32"), "i32 2147483647");
  EXPECT_EQ(result("i32", "fptosi float -1.0e10 to i32"), "i32 -2147483648");
  EXPECT_EQ(result("i32", "fptosi float 0x7FF8000000000000 to i32"), "i32 0");
  EXPECT_EQ(result("i32", "fptosi double 0x7FF8000000000000 to i32"), "i32 -2147483648");
  EXPECT_EQ(result("i64", "fptoui float 0x7FF8000000000000 to i64"), "i64 -9223372036854775808");
  EXPECT_EQ(result("i32", "fptoui double -1.0 to i32"), "i32 0");
  EXPECT_EQ(result("i32", "fptoui double 5.0e9 to i32"), "i32 -1");
  EXPECT_EQ(result("i64", "fptosi double 1.0e30 to i64"), "i64 9223372036854775807");
  EXPECT_EQ(result("i32", "fptosi double -3.75 to i32"), "i32 -3");
  // The lowest bits of 32.
  EXPECT_EQ(result("i8", "fptoui float 300.0 to i8"), "i8 44");
  EXPECT_EQ(result("i8", "fptoui float -300.0 to i8"), "i8 0");
  EXPECT_EQ(result("i16", "fptosi float 4.0e4 to i16"), "i16 -25536");
  EXPECT_EQ(result("i8", "fptosi double 0x7FF8000000000000 to i8"), "i8 0");
}

TEST(DefineArithmetic, LeavesTheRestAlone) {
  const std::string text = "define i32 @f(i32 %x, i32 %y) {\n"
                           "  %a = add nsw i32 %x, %y\n  %b = mul i32 %a, %y\n  ret i32 %b\n}\n";
  Ir ir(text);
  const std::string before = ir.text("f");
  EXPECT_EQ(ir.run(DefineArithmeticPass()).text("f"), before);
}

// Of zeros the negative one is the lesser, whichever comes first.
TEST(DefineMinimum, OfZeros) {
  for (const auto &[type, suffix] : {std::pair("float ", ".f32("), std::pair("double ", ".f64(")}) {
    const auto of = [&](const std::string &function, const char *left, const char *right) {
      const std::string name = "@llvm." + function + suffix, number = type;
      Ir ir("declare " + number + name + number + ", " + number + ")\ndefine " + number +
            "@f() {\n  %r = call " + number + name + number + left + ", " + number + right +
            ")\n  ret " + number + "%r\n}\n");
      ir.run(DefineArithmeticPass()).run(llvm::InstSimplifyPass());
      return ir.text("f");
    };
    const std::string result = std::string("ret ") + type;
    expectInOrder(of("minnum", "0.0", "-0.0"), {result + "-0.0"});
    expectInOrder(of("minnum", "-0.0", "0.0"), {result + "-0.0"});
    expectInOrder(of("maxnum", "0.0", "-0.0"), {result + "0.0"});
    expectInOrder(of("maxnum", "-0.0", "0.0"), {result + "0.0"});
    expectInOrder(of("maxnum", "-3.0", "-3.0"), {result + "-3.0"});
    expectInOrder(of("minnum", "0x7FF8000000000000", "0.0"), {result + "0.0"});
  }
}

TEST(DefineMinimum, KnownNumbersCostNothing) {
  Ir ir("declare double @llvm.minnum.f64(double, double)\ndefine double @f(double %x) {\n"
        "  %r = call double @llvm.minnum.f64(double %x, double 1.0)\n  ret double %r\n}\n");
  expectNone(ir.run(DefineArithmeticPass()).text("f"), {"select"});
}

} // namespace
