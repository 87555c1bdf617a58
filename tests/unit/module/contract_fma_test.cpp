// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which products and sums become one fused operation.
#include "module/passes/contract_fma.h"

#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

// `body` computes %r from the floats %a, %b, %c and %d.
std::string contract(const std::string &body, bool final = true,
                     const std::string &type = "float") {
  std::string text =
      "define TYPE @f(TYPE %a, TYPE %b, TYPE %c, TYPE %d) {\n" + body + "\n  ret TYPE %r\n}\n";
  for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
    text.replace(at, 4, type);
  Ir ir(text);
  return ir.run(ContractFmaPass(final)).text("f");
}

TEST(ContractFma, ProductPlusSomething) {
  const std::string text = contract("%p = fmul contract TYPE %a, %b\n"
                                    "%r = fadd contract TYPE %p, %c");
  expectInOrder(text, {"%r = call", "@llvm.fma.f32(float %a, float %b, float %c)", "ret float %r"});
  expectNone(text, {"fmul", "fadd", "contract"});
}

TEST(ContractFma, SomethingPlusProduct) {
  expectInOrder(contract("%p = fmul contract TYPE %a, %b\n"
                         "%r = fadd contract TYPE %c, %p"),
                {"@llvm.fma.f32(float %a, float %b, float %c)"});
}

TEST(ContractFma, ProductMinusSomething) {
  expectInOrder(contract("%p = fmul contract TYPE %a, %b\n"
                         "%r = fsub contract TYPE %p, %c"),
                {"= fneg float %c", "@llvm.fma.f32(float %a, float %b, float %"});
}

TEST(ContractFma, SomethingMinusProduct) {
  expectInOrder(contract("%p = fmul contract TYPE %a, %b\n"
                         "%r = fsub contract TYPE %c, %p"),
                {"= fneg float %a", "@llvm.fma.f32(float %", "float %b, float %c)"});
}

// a * b + c * d: ptxas fuses one of them, and it matters which. It takes the sum's left side.
TEST(ContractFma, OfTwoProductsTheLeftIsFused) {
  expectInOrder(contract("%p = fmul contract TYPE %a, %b\n"
                         "%q = fmul contract TYPE %c, %d\n"
                         "%r = fadd contract TYPE %p, %q"),
                {"%q = fmul float %c, %d", "@llvm.fma.f32(float %a, float %b, float %q)"});
}

TEST(ContractFma, BothMustAllowIt) {
  for (const char *body :
       {"%p = fmul TYPE %a, %b\n%r = fadd contract TYPE %p, %c", // __fmul_rn(a, b) + c
        "%p = fmul contract TYPE %a, %b\n%r = fadd TYPE %p, %c", // __fadd_rn(a * b, c)
        "%p = fmul TYPE %a, %b\n%r = fadd TYPE %p, %c"})         // -fmad=false
    expectNone(contract(body), {"fma", "contract"});
}

TEST(ContractFma, AProductThatIsNeededByItselfStays) {
  expectNone(contract("%p = fmul contract TYPE %a, %b\n"
                      "%s = fadd contract TYPE %p, %c\n"
                      "%r = fdiv contract TYPE %s, %p"),
             {"fma"});
}

TEST(ContractFma, SumsOfTheProductItself) {
  expectNone(contract("%p = fmul contract TYPE %a, %b\n"
                      "%r = fadd contract TYPE %p, %p"),
             {"fma"});
}

TEST(ContractFma, ChainsFuseOnceEach) {
  const std::string text = contract("%p = fmul contract TYPE %a, %b\n"
                                    "%s = fadd contract TYPE %p, %c\n"
                                    "%q = fmul contract TYPE %s, %d\n"
                                    "%r = fadd contract TYPE %q, %a");
  expectInOrder(text, {"%s = call", "(float %a, float %b, float %c)", "%r = call",
                       "(float %s, float %d, float %a)"});
}

TEST(ContractFma, TypesWithAFusedInstruction) {
  const char *body = "%p = fmul contract TYPE %a, %b\n%r = fadd contract TYPE %p, %c";
  expectInOrder(contract(body, true, "double"), {"@llvm.fma.f64"});
  expectInOrder(contract(body, true, "half"), {"@llvm.fma.f16"});
  expectInOrder(contract(body, true, "<2 x float>"), {"@llvm.fma.v2f32"});
}

// The final run settles the matter; the early one leaves what may still fuse after inlining.
TEST(ContractFma, OnlyTheFinalRunForbidsTheRest) {
  const char *body = "%p = fmul contract TYPE %a, %b\n%r = fmul contract TYPE %p, %c";
  expectInOrder(contract(body, false), {"fmul contract", "fmul contract"});
  expectNone(contract(body, true), {"contract"});
}

} // namespace
