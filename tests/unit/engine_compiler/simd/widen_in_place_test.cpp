// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every second to sixteenth element is changed (widen.h, widen_in_place.cpp). Gangs here are 16
// lanes, and %base is where a line begins. That elements are the right ones is shown by
// tests/conformance, "strided_elements".
#include "widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// Each thread's %from and %to, of `step` elements a thread, at these places.
std::string elements(unsigned step, unsigned from, unsigned to, const std::string &align = "64") {
  return "  %base.place = getelementptr i8, ptr %parameters, i64 24\n"
         "  %base = load ptr, ptr %base.place, !invariant.load !0, !align !" +
         align + "\n  %i = mul i64 %wide, " + std::to_string(step) +
         "\n  %own = getelementptr i32, ptr %base, i64 %i\n"
         "  %from = getelementptr i32, ptr %own, i64 " +
         std::to_string(from) + "\n  %to = getelementptr i32, ptr %own, i64 " + std::to_string(to) +
         "\n";
}

std::string inPlace(const std::string &body, WidenOptions options = {.layout = row(16)}) {
  return widened(body, options, "!64 = !{i64 64}\n!4 = !{i64 4}\n");
}

const std::string load_both = "  %f = load i32, ptr %from, align 4\n"
                              "  %t = load i32, ptr %to, align 4\n";
const std::string up = load_both + "  %sum = add i32 %f, %t\n"
                                   "  store i32 %sum, ptr %to, align 4\n";

// A line a vector: what is added moves two places, and every fourth element is stored.
TEST(WidenInPlace, UpATree) {
  const std::string text = inPlace(elements(4, 1, 3) + up);
  expectInOrder(text,
                {"getelementptr i32, ptr %from, i64 -1", "load <16 x i32>", "shufflevector",
                 "<i32 poison, i32 poison, i32 poison, i32 1, i32 poison, i32 poison, i32 poison, "
                 "i32 5,",
                 "add <16 x i32>", "shufflevector", "@llvm.masked.store.v16i32", "i32 4,",
                 "<i1 false, i1 false, i1 false, i1 true, i1 false,", "i64 15", "load <16 x i32>"});
  EXPECT_EQ(count(text, "load <16 x i32>"), 4u);
  EXPECT_EQ(count(text, "add <16 x i32>"), 4u);
  EXPECT_EQ(count(text, "@llvm.masked.store"), 4u);
}

// Both are stored together. If that is everything, all of the line is.
TEST(WidenInPlace, DownATree) {
  const std::string down = load_both + "  store i32 %t, ptr %from, align 4\n"
                                       "  %sum = add i32 %t, %f\n"
                                       "  store i32 %sum, ptr %to, align 4\n";
  const std::string text = inPlace(elements(8, 3, 7) + down);
  EXPECT_EQ(count(text, "load <16 x i32>"), 8u);
  EXPECT_EQ(count(text, "@llvm.masked.store"), 8u);
  expectInOrder(text, {"<16 x i1> <i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 "
                       "false, i1 true,"});
  const std::string both = inPlace(elements(2, 0, 1) + down);
  EXPECT_EQ(count(both, "load <16 x i32>"), 2u);
  EXPECT_EQ(count(both, "@llvm.masked.store"), 2u); // with masks of everybody: LLVM drops them
  expectNone(both, {"i1 false"});
}

TEST(WidenInPlace, OneElementWithNumbers) {
  const std::string text = inPlace(elements(16, 9, 15) + "  %f = load i32, ptr %from, align 4\n"
                                                         "  %g = mul i32 %f, %n\n"
                                                         "  %h = add i32 %g, 7\n"
                                                         "  store i32 %h, ptr %from, align 4\n");
  expectNone(text, {"@llvm.masked.store"}); // beyond eight elements others do as well
  const std::string near = inPlace(elements(8, 5, 7) + "  %f = load i32, ptr %from, align 4\n"
                                                       "  %g = mul i32 %f, %n\n"
                                                       "  %h = add i32 %g, 7\n"
                                                       "  store i32 %h, ptr %from, align 4\n");
  expectInOrder(near, {"i64 -5", "load <16 x i32>", "insertelement <16 x i32> poison, i32 %n",
                       "mul <16 x i32>", "add <16 x i32>", "@llvm.masked.store"});
  EXPECT_EQ(count(near, "load <16 x i32>"), 8u);
}

void expectOtherwise(const std::string &body, WidenOptions options = {.layout = row(16)}) {
  const std::string text = inPlace(body, options);
  const std::string sums = "add <16 x i32>";
  EXPECT_EQ(count(text, sums), 1u) << body;
}

// Only whole lines are sure to be there.
TEST(WidenInPlace, NotIfTheLineIsNotKnown) {
  expectOtherwise(elements(4, 1, 3, "4") + up);
  expectOtherwise(elements(4, 3, 5) + up); // the lanes' elements begin with another line
  expectOtherwise(elements(6, 1, 3) + up); // lanes lie differently in each line
}

TEST(WidenInPlace, NotUnderAMask) { expectOtherwise(elements(4, 1, 3) + masked + up); }

// Somebody wants the values as vectors, or something else happens meanwhile.
TEST(WidenInPlace, NotIfOthersAreConcerned) {
  expectOtherwise(elements(4, 1, 3) + up + "  store i32 %sum, ptr %e, align 4\n");
  expectOtherwise(elements(4, 1, 3) + up + "  store i32 %f, ptr %e, align 4\n");
  expectOtherwise(elements(4, 1, 3) + load_both +
                  "  store volatile i32 1, ptr %q\n  %sum = add i32 %f, %t\n"
                  "  store i32 %sum, ptr %to, align 4\n");
  expectOtherwise(elements(4, 1, 3) + load_both +
                  "  %sum = add i32 %f, %u\n"
                  "  store i32 %sum, ptr %to, align 4\n"
                  "  store i32 %t, ptr %from, align 4\n");
}

// Stores that come together stay together.
TEST(WidenInPlace, NotAPartOfAGroup) {
  expectOtherwise(elements(2, 0, 1) + load_both +
                  "  %sum = add i32 %f, %t\n"
                  "  store i32 %sum, ptr %from, align 4\n"
                  "  %d = sdiv i32 7, %n\n  %g = xor i32 %d, %u\n"
                  "  store i32 %g, ptr %to, align 4\n");
}

// Divisions trap, of whatever lies between.
TEST(WidenInPlace, NotIfItMayTrap) {
  const std::string text = inPlace(elements(4, 1, 3) + load_both +
                                   "  %d = sdiv i32 %f, 3\n"
                                   "  %sum = add i32 %d, %t\n"
                                   "  store i32 %sum, ptr %to\n");
  EXPECT_EQ(count(text, "add <16 x i32>"), 1u);
}

} // namespace
