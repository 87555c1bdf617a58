// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about all lanes at once (mask_reduction.cpp). Gangs here are eight lanes; %x is in all
// of them less than 1024.
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// `question` (any or all) of the condition %k, and whether it was answered by scalars.
std::string asked(const std::string &question, const std::string &condition,
                  WidenOptions options = {row(8)}) {
  return widened(condition + "  %answer = call i1 @heddle." + question +
                     "(i1 %k)\n  %z = zext i1 %answer to i32\n  store volatile i32 %z, ptr %q\n",
                 options, "declare i1 @heddle.any(i1)\ndeclare i1 @heddle.all(i1)\n");
}

const std::vector<std::string> vectors = {"bitcast <8"};

// An index that is known not to be negative.
const std::string index = "  %h = trunc i32 %n to i16\n  %base = zext i16 %h to i32\n"
                          "  %t = and i32 %x, 1023\n"
                          "  %j = add nuw nsw i32 %base, %t\n";

TEST(MaskReduction, OfTheLastLane) {
  const std::string text = asked("all", index + "  %k = icmp slt i32 %j, %n\n");
  expectInOrder(text, {"= add i32 %j, 7", "= icmp slt i32 %", ", %n", "%z = zext i1 %"});
  expectNone(text, vectors);
  const std::string any = asked("any", index + "  %k = icmp sge i32 %j, %n\n");
  expectInOrder(any, {"= add i32 %j, 7", "= icmp sge i32 %", ", %n"});
  expectNone(any, vectors);
}

TEST(MaskReduction, OfTheFirstLane) {
  for (const auto &[question, predicate] : {std::pair{"all", "sgt"}, {"any", "slt"}}) {
    const std::string text = asked(question, index + "  %k = icmp " + predicate + " i32 %j, %n\n");
    expectInOrder(text, {std::string("= icmp ") + predicate + " i32 %j, %n"});
    expectNone(text, vectors);
  }
  expectInOrder(asked("all", index + "  %k = icmp sgt i32 %n, %j\n"),
                {"= add i32 %j, 7", "= icmp slt i32 %", ", %n"});
}

TEST(MaskReduction, OfSeveralBounds) {
  const std::string text = asked("all", index + "  %a = icmp sge i32 %j, %n\n"
                                                "  %b = icmp sge i32 %n, 9\n  %o = or i1 %a, %b\n"
                                                "  %k = xor i1 %o, true\n");
  expectInOrder(text, {"= add i32 %j, 7", "= icmp sge i32", "select i1 %", "xor i1 %"});
  expectNone(text, vectors);
}

// The program promises that its sums do not wrap, as signed numbers; all lanes compute them.
TEST(MaskReduction, OfSumsThatThePromiseHoldsFor) {
  for (const char *sum : {"add nsw i32 %n, %t", "or disjoint i32 %n, %t"}) {
    const std::string number = std::string("  %t = and i32 %x, 7\n  %j = ") + sum + "\n";
    const std::string text = asked("all", number + "  %k = icmp slt i32 %j, %n\n");
    expectInOrder(text, {"= add i32 %j, 7", "= icmp slt i32 %", ", %n", "%z = zext i1 %"});
    expectNone(text, vectors);
    expectInOrder(asked("all", number + "  %k = icmp ult i32 %j, %n\n"), {"bitcast <8 x i1>"});
  }
  expectInOrder(asked("all", "  %t = and i32 %x, 7\n  %j = add i32 %n, %t\n"
                             "  %k = icmp slt i32 %j, %n\n"),
                {"bitcast <8 x i1>"});
  // Others are here than the first lane: what follows from its number is not what they compute.
  expectInOrder(asked("all", masked + "  %t = and i32 %x, 7\n  %j = add nsw i32 %n, %t\n"
                                      "  %k = icmp slt i32 %j, %n\n"),
                {"bitcast <8 x i1>"});
}

// Of the lanes that are known to be here, the last one decides.
TEST(MaskReduction, OfTheFirstLanes) {
  const std::string few = "  %l = call i32 @heddle.lane()\n  %few = icmp ult i32 %l, 3\n"
                          "  call void @heddle.mask(i1 %few)\n";
  const std::string text =
      widened(few + index +
                  "  %k = icmp slt i32 %j, %n\n"
                  "  %answer = call i1 @heddle.all(i1 %k)\n"
                  "  %z = zext i1 %answer to i32\n  store i32 %z, ptr %q\n",
              {row(8)}, "declare i32 @heddle.lane()\ndeclare i1 @heddle.all(i1)\n");
  expectInOrder(text, {"= add i32 %j, 2", "= icmp slt i32 %", ", %n", "%z = zext i1 %"});
  expectNone(text, vectors);
}

// Of rows that lie the same distance apart, the first and the last decide. (Each of the four has an
// answer of its own, too.)
TEST(MaskReduction, OfRows) {
  const auto rows = [](const std::string &flags) {
    return asked("all",
                 "  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n  %j = add " + flags +
                     "i32 %n, %y\n  %k = icmp slt i32 %j, 9\n",
                 {{16, LaneLayout::Kind::Tiled, 4, 4, true}});
  };
  EXPECT_EQ(count(rows("nsw "), "icmp slt i32"), 4u + 2u);
  EXPECT_EQ(count(rows(""), "icmp slt i32"), 4u + 4u);
}

// It holds for all if it does for one and the other, but not if for one or the other.
TEST(MaskReduction, NotOfAlternatives) {
  for (const auto &[question, both] : {std::pair{"all", "or"}, {"any", "and"}})
    expectInOrder(asked(question, index +
                                      "  %a = icmp slt i32 %j, %n\n  %b = icmp sgt i32 %j, 9\n"
                                      "  %k = " +
                                      both + " i1 %a, %b\n"),
                  {"bitcast <8 x i1>"});
}

// They may be any numbers; and being equal is no matter of ends.
TEST(MaskReduction, NotOfOtherNumbers) {
  for (const char *condition : {"  %k = icmp slt i32 %u, 9\n", "  %k = icmp eq i32 %x, %n\n"})
    expectInOrder(asked("all", condition), {"bitcast <8 x i1>"});
}

// Of an index that may wrap between two lanes, in a gang of several warps.
std::string askedOfMany(const std::string &question, const std::string &condition,
                        unsigned lanes = 64) {
  return asked(question, "  %j = add i32 %n, %x\n" + condition, {row(lanes)});
}

// If it wraps, then a lane has the largest number, which is not below a bound.
TEST(MaskReduction, OfNumbersThatMayWrap) {
  for (const auto &[less, ordered] : {std::pair{"slt", "sle"}, {"ult", "ule"}}) {
    const std::string text =
        askedOfMany("all", std::string("  %k = icmp ") + less + " i32 %j, %n\n");
    expectInOrder(text, {"= add i32 %j, 63", std::string("= icmp ") + less + " i32 %",
                         std::string("= icmp ") + ordered + " i32 %j, %", "= and i1 %"});
    expectNone(text, {"bitcast <64"});
  }
  for (const auto &[reaches, ordered] : {std::pair{"sge", "sle"}, {"uge", "ule"}}) {
    const std::string text =
        askedOfMany("any", std::string("  %k = icmp ") + reaches + " i32 %j, %n\n");
    expectInOrder(text,
                  {"= add i32 %j, 63", std::string("= icmp ") + reaches + " i32 %",
                   std::string("= icmp ") + ordered + " i32 %j, %", "= xor i1 %", "= or i1 %"});
    expectNone(text, {"bitcast <64"});
  }
}

// A warp's mask is no dearer than a second question.
TEST(MaskReduction, NotOfAWarpsNumbersThatMayWrap) {
  expectInOrder(askedOfMany("all", "  %k = icmp slt i32 %j, %n\n", 32), {"bitcast <32 x i1>"});
}

// No lane need have the largest number if they go up by two; a bound may include it; and where the
// smallest decides, it says nothing.
TEST(MaskReduction, NotOfEndsThatSayNothingOfWrapping) {
  for (const auto &[question, condition] : {std::pair{"all", "sle i32 %j"},
                                            {"all", "sge i32 %j"},
                                            {"all", "slt i32 %twice"},
                                            {"any", "slt i32 %j"},
                                            {"any", "sgt i32 %j"},
                                            {"any", "uge i32 %twice"}})
    expectInOrder(askedOfMany(question, "  %d = shl i32 %x, 1\n  %twice = add i32 %n, %d\n"
                                        "  %k = icmp " +
                                            std::string(condition) + ", 9\n"),
                  {"bitcast <64 x i1>"});
}

// The first lane's may be poison while others' are not: `j - 1` below all numbers.
TEST(MaskReduction, NotOfFrozenNumbersThatMayWrap) {
  expectInOrder(askedOfMany("all", "  %a = icmp slt i32 %j, %n\n  %k = freeze i1 %a\n"),
                {"bitcast <64 x i1>"});
}

// The product of such a step and the number of lanes would wrap.
TEST(MaskReduction, NotOfLargeSteps) {
  expectInOrder(asked("all", "  %large = zext i32 %x to i64\n"
                             "  %m = mul i64 %large, -9223372036854775807\n"
                             "  %k = icmp slt i64 %m, 9\n"),
                {"bitcast <8 x i1>"});
}

// A lane may do as it likes whose condition is poison, but not decide for the others.
TEST(MaskReduction, OfWhatIsFrozen) {
  const std::string text =
      asked("all", index + "  %a = icmp slt i32 %j, %n\n  %k = freeze i1 %a\n");
  expectInOrder(text, {"= add i32 %j, 7", "= icmp slt i32 %", "= icmp sle i32 %j, %", "freeze i1"});
  expectNone(text, vectors);
}

// Lanes that are not here are not asked.
TEST(MaskReduction, NotUnderAMask) {
  expectInOrder(asked("all", index + masked + "  %k = icmp slt i32 %j, %n\n"),
                {"icmp slt <8 x i32>"});
}

} // namespace
