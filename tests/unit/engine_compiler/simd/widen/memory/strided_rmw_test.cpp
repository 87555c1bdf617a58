// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every second to sixteenth element is changed (widen.h, strided_rmw.cpp). Gangs here are 16
// lanes, and %base is where a line begins. That elements are the right ones is shown by
// tests/conformance, "strided_elements".
#include "simd/widened.h"

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
TEST(StridedRmw, UpATree) {
  const std::string text = inPlace(elements(4, 1, 3) + up);
  expectInOrder(text,
                {"getelementptr i32, ptr %from, i64 -1", "load <16 x i32>", "shufflevector",
                 "<i32 poison, i32 poison, i32 poison, i32 1, i32 poison, i32 poison, i32 poison, "
                 "i32 5,",
                 "add <16 x i32>", "shufflevector", "@llvm.masked.store.v16i32", "i32 4,",
                 "<i1 false, i1 false, i1 false, i1 true, i1 false,", "i64 16", "load <16 x i32>"});
  EXPECT_EQ(count(text, "load <16 x i32>"), 4u);
  EXPECT_EQ(count(text, "add <16 x i32>"), 4u);
  EXPECT_EQ(count(text, "@llvm.masked.store"), 4u);
}

// Both are stored together. If that is everything, all of the line is.
TEST(StridedRmw, DownATree) {
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
  EXPECT_EQ(count(both, "@llvm.masked.store"), 2u); // with masks of all lanes: LLVM drops them
  expectNone(both, {"i1 false"});
}

TEST(StridedRmw, OneElementWithNumbers) {
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
TEST(StridedRmw, NotIfTheLineIsNotKnown) {
  expectOtherwise(elements(4, 1, 3, "4") + up);
  expectOtherwise(elements(4, 3, 5) + up); // the lanes' elements begin with another line
  expectOtherwise(elements(6, 1, 3) + up); // lanes lie differently in each line
}

TEST(StridedRmw, NotUnderAMask) { expectOtherwise(elements(4, 1, 3) + masked + up); }

// The values have other users, or memory is accessed meanwhile.
TEST(StridedRmw, NotIfOthersAreConcerned) {
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
TEST(StridedRmw, NotAPartOfAGroup) {
  expectOtherwise(elements(2, 0, 1) + load_both +
                  "  %sum = add i32 %f, %t\n"
                  "  store i32 %sum, ptr %from, align 4\n"
                  "  %d = sdiv i32 7, %n\n  %g = xor i32 %d, %u\n"
                  "  store i32 %g, ptr %to, align 4\n");
}

// ---- Shared memory: whole lines are stored, and changes wait for each other ----

const LaneLayout whole_row{16, LaneLayout::Kind::Row, 0, 16, true, true};

// Threads change %to of `step` elements; the names end with `level`. The first one has %base.
std::string level(unsigned step, unsigned from, unsigned to, const std::string &level) {
  std::string text = elements(step, from, to) + up;
  if (level != ".a")
    text = text.substr(text.find("  %i ="));
  for (const std::string name : {"%i", "%own", "%from", "%to", "%f", "%t", "%sum"})
    for (const std::string end : {" ", ",", "\n"})
      for (size_t at = 0; (at = text.find(name + end, at)) != std::string::npos;
           at += name.size() + level.size())
        text.replace(at, name.size(), name + level);
  return text;
}

// The elements of the text in shared memory.
std::string inShared(std::string text) {
  for (const auto &[old, replacement] :
       {std::pair<std::string, std::string>{"load ptr, ptr %base.place",
                                            "load ptr addrspace(3), ptr %base.place"},
        {"getelementptr i32, ptr %base", "getelementptr i32, ptr addrspace(3) %base"},
        {"getelementptr i32, ptr %own", "getelementptr i32, ptr addrspace(3) %own"},
        {"ptr %from", "ptr addrspace(3) %from"},
        {"ptr %to", "ptr addrspace(3) %to"}})
    for (size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += replacement.size())
      text.replace(at, old.size(), replacement);
  return text;
}

// %wide is the number of the lane.
std::string sharedInPlace(std::string body, WidenOptions options = {.layout = whole_row}) {
  for (size_t at = 0; (at = body.find("%wide", at)) != std::string::npos;)
    body.replace(at, 5, "%lw");
  return widened("  %l = call i32 @heddle.lane()\n  %lw = zext i32 %l to i64\n" + inShared(body),
                 options, "!64 = !{i64 64}\n!4 = !{i64 4}\ndeclare i32 @heddle.lane()\n");
}

std::string firstLanes(unsigned lanes, const std::string &body) {
  return "  %few = icmp ult i32 %l, " + std::to_string(lanes) +
         "\n  call void @heddle.mask(i1 %few)\n" + body;
}

TEST(StridedRmw, WholeLinesOfSharedMemory) {
  const std::string text = sharedInPlace(elements(4, 1, 3) + up);
  EXPECT_EQ(count(text, "load <16 x i32>, ptr addrspace(3)"), 4u);
  EXPECT_EQ(count(text, "store <16 x i32>"), 4u);
  expectNone(text, {"masked", "tbaa"});
  // A whole line also where the elements are fewer, which stay as they are.
  const std::string few = sharedInPlace(firstLanes(3, elements(4, 1, 3) + up));
  EXPECT_EQ(count(few, "load <16 x i32>"), 1u);
  expectInOrder(few, {"shufflevector",
                      "<16 x i32> <i32 0, i32 1, i32 2, i32 19, i32 4, i32 5, i32 "
                      "6, i32 23, i32 8, i32 9, i32 10, i32 27, i32 12, i32 13, i32 14, i32 15>",
                      "store <16 x i32>"});
}

// A line is loaded and stored once for all levels of a tree.
TEST(StridedRmw, LevelsTogether) {
  const std::string text =
      sharedInPlace(level(2, 0, 1, ".a") + firstLanes(8, level(4, 1, 3, ".b")));
  EXPECT_EQ(count(text, "load <16 x i32>"), 2u);
  EXPECT_EQ(count(text, "add <16 x i32>"), 4u);
  EXPECT_EQ(count(text, "store <16 x i32>"), 2u);
  expectInOrder(text, {"load <16 x i32>", "add <16 x i32>", "add <16 x i32>", "store <16 x i32>",
                       "load <16 x i32>"});
}

// With a barrier that all lanes have come to, or in the next block, on the only way to it.
TEST(StridedRmw, LevelsBehindBarriers) {
  const std::string fence = "  fence syncscope(\"singlethread\") seq_cst\n";
  const auto with = [&](const std::string &between, const LaneLayout &layout = whole_row) {
    const std::string text =
        sharedInPlace(level(2, 0, 1, ".a") + between + level(4, 1, 3, ".b"), {layout});
    EXPECT_EQ(count(text, "add <16 x i32>"), 6u);
    return count(text, "load <16 x i32>");
  };
  EXPECT_EQ(with(fence), 4u);
  EXPECT_EQ(with("  br label %next\nnext:\n"), 4u);
  EXPECT_EQ(with("  %b = icmp eq i32 %n, 0\n  br i1 %b, label %next, label %code\nnext:\n"), 6u);
  // Other gangs may have something to say.
  EXPECT_EQ(with(fence, row(16)), 6u);
  // Later accesses see what has been done.
  EXPECT_EQ(with("  %seen = load i32, ptr %q\n"), 6u);
  EXPECT_EQ(with("  store i32 1, ptr %q\n"), 6u);
}

// What lanes change in several lines is known in all of them at once.
TEST(StridedRmw, LanesInLinesOfTheirOwn) {
  const std::string text = sharedInPlace(firstLanes(4, elements(64, 31, 63) + up));
  EXPECT_EQ(count(text, "load <16 x i32>"), 8u);
  EXPECT_EQ(count(text, "add <16 x i32>"), 4u);
  EXPECT_EQ(count(text, "store <16 x i32>"), 4u);
  expectInOrder(text, {"add <16 x i32>", "i32 14, i32 31>", "store <16 x i32>"});
  // But not in more than there are registers for: the third level asks for four at a time.
  const std::string tree =
      level(16, 7, 15, ".a") + firstLanes(8, level(32, 15, 31, ".b")) + level(64, 31, 63, ".c");
  EXPECT_EQ(count(sharedInPlace(tree), "load <16 x i32>"), 16u + 16u);
  // With AVX-512 there are; the other eight lines are those of its last four lanes.
  EXPECT_EQ(
      count(sharedInPlace(tree, {.layout = whole_row, .native_gather = true}), "load <16 x i32>"),
      16u + 8u);
}

// Another array may be the same, or lie across the lines.
TEST(StridedRmw, NotTogetherIfTheLinesDiffer) {
  const std::string floats =
      "  %fp = load float, ptr %from.a, align 4\n"
      "  %fq = fmul float %fp, %fp\n  store float %fq, ptr %from.a, align 4\n";
  EXPECT_EQ(count(sharedInPlace(level(2, 0, 1, ".a") + floats), "load <16 x i32>"), 2u);
  EXPECT_EQ(count(sharedInPlace(level(2, 0, 1, ".a") + floats), "load <16 x float>"), 2u);
}

// Divisions trap, of whatever lies between.
TEST(StridedRmw, NotIfItMayTrap) {
  const std::string text = inPlace(elements(4, 1, 3) + load_both +
                                   "  %d = sdiv i32 %f, 3\n"
                                   "  %sum = add i32 %d, %t\n"
                                   "  store i32 %sum, ptr %to\n");
  EXPECT_EQ(count(text, "add <16 x i32>"), 1u);
}

} // namespace
