// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes without demand (demanded_lanes.h). Registers here have 64 bytes: 16 lanes of 32 bits.
#include "engine/compiler/simd/post/demanded_lanes.h"
#include "ir.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace heddle;
using namespace heddle::engine;

namespace {

// "<64 x i32> <i32 f(0), i32 f(1), …>": a vector of 64, or the lanes that a shuffle takes.
std::string vector(const std::function<int(int)> &element, int lanes = 64,
                   const std::string &type = "i32") {
  std::string text = fmt::format("<{} x {}> <", lanes, type);
  for (int lane = 0; lane < lanes; ++lane)
    text += fmt::format("{}{} {}", lane ? ", " : "", type, element(lane));
  return text + ">";
}

std::string packed(const std::string &code) {
  Ir ir("declare <64 x float> @llvm.sqrt.v64f32(<64 x float>)\n"
        "define float @f(<64 x float> %x, <64 x float> %y, ptr %p) {\n" +
        code + "}\n");
  packDemandedLanes(ir.function("f"), 64);
  ir.verify();
  return ir.text("f");
}

// A step of a warp's sum: lane i of each 32 adds lane i + distance.
std::string step(const std::string &result, const std::string &from, int distance) {
  const auto lanes =
      vector([&](int lane) { return lane % 32 + distance < 32 ? lane + distance : lane; });
  return fmt::format("  %m{0} = shufflevector <64 x float> %{1}, <64 x float> poison, {2}\n"
                     "  %{0} = fadd <64 x float> %{1}, %m{0}\n",
                     result, from, lanes);
}

// Both warps' sums: 32, 16, … lanes add something that is needed.
TEST(DemandedLanes, OfWarpsThatAddUp) {
  const std::string text = packed(step("a", "x", 16) + step("b", "a", 8) + step("c", "b", 4) +
                                  step("d", "c", 2) + step("e", "d", 1) +
                                  "  %first = extractelement <64 x float> %e, i32 0\n"
                                  "  %second = extractelement <64 x float> %e, i32 32\n"
                                  "  %sum = fadd float %first, %second\n  ret float %sum\n");
  expectInOrder(text, {"fadd <32 x float>", "fadd <16 x float>", "fadd <8 x float>",
                       "fadd <4 x float>", "fadd <2 x float>", "extractelement <2 x float> %",
                       "i64 0", "extractelement <2 x float> %", "i64 1"});
  EXPECT_EQ(count(text, "fadd <64"), 0u) << text;
}

// All lanes are demanded, or the ones that are needed fill as many registers.
TEST(DemandedLanes, AllStayWhereTheyAre) {
  const std::string all = packed(step("a", "x", 16) + "  store <64 x float> %a, ptr %p\n"
                                                      "  ret float 0.0\n");
  EXPECT_EQ(count(all, "fadd <64"), 1u) << all;
  std::string three_quarters;
  for (int lane = 0; lane < 64; ++lane)
    if (lane % 4 != 3)
      three_quarters += fmt::format("  %e{0} = extractelement <64 x float> %s, i32 {0}\n"
                                    "  store float %e{0}, ptr %p\n",
                                    lane);
  const std::string most =
      packed("  %s = fadd <64 x float> %x, %y\n" + three_quarters + "  ret float 0.0\n");
  EXPECT_EQ(count(most, "fadd <64"), 1u) << most;
}

// A select by known lanes demands of both operands what it takes; users of all lanes get them put
// back.
TEST(DemandedLanes, OfWhatASelectTakes) {
  const std::string text = packed(
      "  %s = fadd <64 x float> %x, %y\n  %r = call <64 x float> @llvm.sqrt.v64f32(<64 x float> "
      "%s)\n"
      "  %t = fmul <64 x float> %r, %r\n  %u = select " +
      vector([](int lane) { return lane < 16; }, 64, "i1") +
      ", <64 x float> %t, <64 x float> %x\n  store <64 x float> %u, ptr %p\n  ret float 0.0\n");
  expectInOrder(text, {"fadd <16 x float>", "@llvm.sqrt.v16f32(<16 x float>", "fmul <16 x float>",
                       "shufflevector <16 x float>", "<64 x i32> <i32 0, i32 1,", "select"});
}

// In the first lane, what grows from lane to lane is still 0.
TEST(DemandedLanes, AreSimpler) {
  const std::string text = packed(
      "  %n = ptrtoint ptr %p to i32\n  %i = insertelement <64 x i32> poison, i32 %n, i32 0\n"
      "  %s = shufflevector <64 x i32> %i, <64 x i32> poison, <64 x i32> zeroinitializer\n"
      "  %t = add <64 x i32> %s, " +
      vector([](int lane) { return lane; }).substr(sizeof("<64 x i32>")) +
      "\n  %f = sitofp <64 x i32> %t to <64 x float>\n"
      "  %e = extractelement <64 x float> %f, i32 0\n  ret float %e\n");
  EXPECT_EQ(count(text, " add "), 0u) << text;
  expectInOrder(text, {"sitofp <1 x i32> %", "ret"});
}

// -- Any code gives the same ---------------------------------------------------------------------

// What straight code returns.
llvm::Constant *result(llvm::Function &function) {
  const llvm::DataLayout &data = function.getParent()->getDataLayout();
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto *done = llvm::dyn_cast<llvm::ReturnInst>(&instruction))
      return llvm::cast<llvm::Constant>(done->getReturnValue());
    instruction.replaceAllUsesWith(llvm::ConstantFoldInstruction(&instruction, data));
  }
  return nullptr;
}

// Additions, comparisons and moves of lanes at random, of which some lanes' sum is returned.
std::string randomCode(std::mt19937 &random) {
  const auto below = [&](int end) { return int(random() % unsigned(end)); };
  std::string code = "define i32 @f() {\n";
  std::vector<std::string> values;
  for (int i = 0; i < 2; ++i)
    values.push_back(vector([&](int) { return below(1000); }).substr(sizeof("<64 x i32>")));
  const auto any = [&] { return values[size_t(below(int(values.size())))]; };
  for (int i = 0; i < 12; ++i) {
    const std::string name = fmt::format("%v{}", i), x = any(), y = any();
    const int distance = 1 << below(6);
    switch (below(5)) {
    case 0:
      code += fmt::format("  {} = add <64 x i32> {}, {}\n", name, x, y);
      break;
    case 1:
      code += fmt::format("  %c{0} = icmp slt <64 x i32> {1}, {2}\n"
                          "  {3} = select <64 x i1> %c{0}, <64 x i32> {1}, <64 x i32> {2}\n",
                          i, x, y, name);
      break;
    case 2:
      code +=
          fmt::format("  {} = select {}, <64 x i32> {}, <64 x i32> {}\n", name,
                      vector([&](int lane) { return lane % (2 * distance) == 0; }, 64, "i1"), x, y);
      break;
    case 3:
      code += fmt::format("  {} = shufflevector <64 x i32> {}, <64 x i32> {}, {}\n", name, x, y,
                          vector([&](int) { return below(128); }));
      break;
    default: // as in a tree of sums, mostly
      code += fmt::format("  %m{0} = shufflevector <64 x i32> {1}, <64 x i32> poison, {2}\n"
                          "  {3} = add <64 x i32> {1}, %m{0}\n",
                          i, x, vector([&](int lane) { return (lane + distance) % 64; }), name);
    }
    values.push_back(name);
  }
  const int stride = 1 << below(7);
  std::string sum = "0";
  for (int lane = 0; lane < 64; lane += stride, sum = fmt::format("%s{}", lane - stride))
    code += fmt::format("  %e{0} = extractelement <64 x i32> {1}, i32 {0}\n"
                        "  %t{0} = mul i32 %e{0}, {2}\n  %s{0} = add i32 {3}, %t{0}\n",
                        lane, values.back(), 2 * below(1000) + 1, sum);
  return code + fmt::format("  ret i32 {}\n}}\n", sum);
}

TEST(DemandedLanes, ComputeTheSame) {
  std::mt19937 random(1); // NOLINT: the same ones each time
  unsigned changed = 0;
  for (int round = 0; round < 300; ++round) {
    const std::string code = randomCode(random);
    Ir as_is(code), ir(code);
    const std::string before = ir.text("f");
    packDemandedLanes(ir.function("f"), 64);
    ir.verify();
    const std::string after = ir.text("f");
    changed += before != after;
    // Constants are the same object only within a context.
    const auto number = [](llvm::Constant *constant) {
      return llvm::cast<llvm::ConstantInt>(constant)->getZExtValue();
    };
    EXPECT_EQ(number(result(as_is.function("f"))), number(result(ir.function("f")))) << code << "\n"
                                                                                     << after;
  }
  EXPECT_GT(changed, 50u);
}

} // namespace
