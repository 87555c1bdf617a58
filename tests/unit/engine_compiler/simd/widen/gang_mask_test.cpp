// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code of the first lanes only, where which they are is known (widen.h, gang_mask.h). Gangs
// here are eight lanes.
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

const std::string markers = "declare i32 @heddle.lane()\ndeclare i1 @heddle.any(i1)\n"
                            "declare i1 @heddle.all(i1)\ndeclare i32 @heddle.first(i32)\n";

std::string first(unsigned lanes, const std::string &body, WidenOptions options = {row(8)}) {
  return widened("  %l = call i32 @heddle.lane()\n  %few = icmp ult i32 %l, " +
                     std::to_string(lanes) + "\n  call void @heddle.mask(i1 %few)\n" + body,
                 options, markers);
}

const std::string use = "  store volatile float %v, ptr %e\n"; // keeps %v from being dropped
const std::string copy = "  %v = load float, ptr %e, align 4\n  %g = getelementptr float, ptr %e, "
                         "i64 100\n  store float %v, ptr %g, align 4\n";
const std::string indexed = "  %i = sext i32 %u to i64\n  %a = getelementptr float, ptr %p, i64 "
                            "%i\n";

TEST(WidenFirst, NeighboursAreAShortVector) {
  const std::string text = first(4, copy);
  expectInOrder(text, {"load <4 x float>", "align 4", "store <4 x float>", "align 4"});
  expectNone(text, {"masked", "br i1", "<8 x float>, ptr"});
}

// Of a power of two each.
TEST(WidenFirst, OrSeveral) {
  const std::string text = first(7, copy);
  expectInOrder(text, {"load <4 x float>", "i64 4", "load <2 x float>", "i64 6", "load <1 x float>",
                       "store <4 x float>", "store <2 x float>", "store <1 x float>"});
  expectInOrder(text, {"<8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 poison, i32 "
                       "poison>",
                       "i32 5, i32 8, i32 poison>"});
  expectNone(text, {"masked"});
}

// The last ones are no such lanes.
TEST(WidenFirst, NotTheLast) {
  const std::string others = widened("  %l = call i32 @heddle.lane()\n  %few = icmp ugt i32 %l, 3\n"
                                     "  call void @heddle.mask(i1 %few)\n" +
                                         copy,
                                     {row(8)}, markers);
  expectInOrder(others, {"@llvm.masked.load", "@llvm.masked.store"});
}

// In a gang of rows, each row's first lanes: the border of a tile. Rows without any load nothing.
TEST(WidenFirst, OfEachRow) {
  const WidenOptions rows{{8, LaneLayout::Kind::Tiled, 4, 4, true}};
  const std::string text = widened(
      "  %few = icmp ult i32 %x, 2\n  call void @heddle.mask(i1 %few)\n" + copy, rows, markers);
  EXPECT_EQ(count(text, "load <2 x float>"), 2u);
  EXPECT_EQ(count(text, "store <2 x float>"), 2u);
  expectNone(text, {"masked", "br i1"});
  const std::string first_row = first(3, copy, rows);
  EXPECT_EQ(count(first_row, "load <2 x float>") + count(first_row, "load <1 x float>"), 2u);
  EXPECT_EQ(count(first_row, "store <2 x float>") + count(first_row, "store <1 x float>"), 2u);
  // The last ones of each row are others.
  expectInOrder(widened("  %few = icmp ugt i32 %x, 1\n  call void @heddle.mask(i1 %few)\n" + copy,
                        rows, markers),
                {"@llvm.masked.load", "@llvm.masked.store"});
}

// A CPU without masks for bytes needs none here.
TEST(WidenFirst, BytesToo) {
  const std::string text =
      first(4, "  %a = getelementptr i8, ptr %p, i64 %wide\n  %v = load i8, ptr %a, align 1\n"
               "  %g = getelementptr i8, ptr %a, i64 100\n  store i8 %v, ptr %g, align 1\n");
  expectInOrder(text, {"load <4 x i8>", "store <4 x i8>"});
  expectNone(text, {"load i8", "store i8"});
}

// One lane of every four: as few as are known, wherever they are.
TEST(WidenFirst, OrOthersOneByOne) {
  WidenOptions options{row(16)};
  options.native_gather = true;
  const auto every_fourth = [&](const std::string &body) {
    return widened("  %l = call i32 @heddle.lane()\n  %r = and i32 %l, 3\n"
                   "  %few = icmp eq i32 %r, 1\n  call void @heddle.mask(i1 %few)\n" +
                       body,
                   options, markers);
  };
  const std::string text = every_fourth(indexed + "  %v = load i32, ptr %a, align 4\n"
                                                  "  %b = getelementptr i32, ptr %a, i64 1\n"
                                                  "  store i32 %v, ptr %b, align 4\n");
  EXPECT_EQ(count(text, "= load i32, ptr"), 4u);
  EXPECT_EQ(count(text, "store i32"), 4u);
  expectInOrder(text, {"i32 1\n", "i32 5\n", "i32 9\n", "i32 13\n"});
  expectNone(text, {"gather", "scatter", "phi", "br i1"});
  // Of those that store to one place, the highest comes last.
  expectInOrder(every_fourth("  store i32 %u, ptr %p, align 4\n"),
                {"extractelement <16 x i32> %u, i32 13", "store i32"});
  // Atomics, in ascending order.
  const std::string atomics = every_fourth("  %o = atomicrmw fmax ptr %p, float 1.0 monotonic\n");
  EXPECT_EQ(count(atomics, "atomicrmw fmax"), 4u);
  expectNone(atomics, {"phi"});
  expectInOrder(every_fourth("  %f = call i32 @heddle.first(i32 %u)\n  store i32 %f, ptr %p\n"),
                {"extractelement <16 x i32> %u, i32 1\n"});
}

TEST(WidenFirst, HereAndThereOneByOne) {
  for (const bool native : {false, true}) {
    WidenOptions options{row(16)};
    options.native_gather = native;
    const std::string text = first(3,
                                   indexed + "  %v = load float, ptr %a, align 4\n" + use +
                                       "  store float %v, ptr %a, align 4\n",
                                   options);
    EXPECT_EQ(count(text, "load float, ptr"), 3u);
    EXPECT_EQ(count(text, "store float"), 3u);
    expectNone(text, {"gather", "scatter", "phi", "br i1"});
  }
}

// One of each row of a wide gang is few; in each row the address is one addition.
TEST(WidenFirst, OneOfEachRowOneByOne) {
  WidenOptions rows{{256, LaneLayout::Kind::Tiled, 16, 16, true}};
  rows.native_gather = true;
  const auto of_lanes = [&](const std::string &condition) {
    return widened(
        "  %few = icmp " + condition +
            "\n  call void @heddle.mask(i1 %few)\n"
            "  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n  %yw = zext i32 %y to i64\n"
            "  %a = getelementptr float, ptr %p, i64 %yw\n  store float 1.0, ptr %a\n",
        rows, markers);
  };
  const std::string text = of_lanes("eq i32 %x, 3");
  EXPECT_EQ(count(text, "store float 1.0"), 16u);
  expectNone(text, {"scatter", "extractelement"});
  expectInOrder(of_lanes("ult i32 %x, 2"), {"scatter"});
}

// In ascending order: of lanes that store to one place, the highest comes last.
TEST(WidenFirst, StoresInAscendingOrder) {
  const std::string text = first(3, indexed + "  store i32 %u, ptr %a, align 4\n");
  expectInOrder(text, {"extractelement <8 x i32> %u, i32 0", "extractelement <8 x i32> %u, i32 1",
                       "extractelement <8 x i32> %u, i32 2"});
  EXPECT_EQ(count(text, "store i32"), 3u);
}

TEST(WidenFirst, EveryFewOneByOne) {
  const std::string text =
      first(2, "  %i = mul i64 %wide, 4\n  %a = getelementptr float, ptr %p, i64 %i\n"
               "  %v = load float, ptr %a, align 4\n" +
                   use + "  store float %v, ptr %a, align 4\n");
  EXPECT_EQ(count(text, "load float, ptr"), 2u);
  EXPECT_EQ(count(text, "store float"), 2u);
  expectNone(text, {"masked"});
}

// More than eight are gathered, but not those that are not here.
TEST(WidenFirst, GathersOfManyLanes) {
  WidenOptions options{row(32)};
  options.native_gather = true;
  const std::string body = indexed + "  %v = load float, ptr %a, align 4\n" + use +
                           "  store float %v, ptr %a, align 4\n";
  const std::string text = first(12, body, options);
  EXPECT_EQ(count(text, "@llvm.x86.avx512.mask.gather.dpi.512("), 1u);
  EXPECT_EQ(count(text, "@llvm.x86.avx512.mask.scatter.dpi.512("), 1u);
  const std::string more = first(17, body, options);
  EXPECT_EQ(count(more, "@llvm.x86.avx512.mask.gather.dpi.512("), 2u);
  EXPECT_EQ(count(more, "@llvm.x86.avx512.mask.scatter.dpi.512("), 2u);
}

TEST(WidenFirst, TheLastOfThemStoresToOnePlace) {
  const std::string text = first(3, "  store i32 %u, ptr %p, align 4\n");
  expectInOrder(text, {"extractelement <8 x i32> %u, i32 2", "store i32"});
  expectNone(text, {"ctlz"});
}

TEST(WidenFirst, AtomicsOneByOne) {
  const std::string text = first(3, indexed + "  %old = atomicrmw add ptr %a, i32 %u monotonic\n"
                                              "  store volatile i32 %old, ptr %u.place\n");
  EXPECT_EQ(count(text, "atomicrmw add"), 3u);
  expectNone(text, {"phi", "br i1"});
}

// Only active lanes may divide, and no inactive lane's value may be taken for a divisor.
TEST(WidenFirst, OthersDoNotDivide) {
  const std::string text = first(3, "  %d = udiv i32 %n, %u\n  store i32 %d, ptr %u.place\n");
  expectInOrder(text, {"select <8 x i1> <i1 true, i1 true, i1 true, i1 false,",
                       "<8 x i32> %u, <8 x i32> <i32 1,"});
}

TEST(WidenFirst, QuestionsAreAnswered) {
  const std::string question = "  %l = call i32 @heddle.lane()\n  %few = icmp ult i32 %l, 3\n"
                               "  %answer = call i1 @heddle.";
  const std::string store = "(i1 %few)\n  %z = zext i1 %answer to i32\n  store i32 %z, ptr %p\n";
  expectInOrder(widened(question + "any" + store, {row(8)}, markers), {"store i32 1,"});
  expectInOrder(widened(question + "all" + store, {row(8)}, markers), {"store i32 0,"});
}

} // namespace
