// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which threads are the lanes of a gang, and how values differ between them.
#include "engine/compiler/simd/analysis/shapes.h"
#include "engine/compiler/simd/form/gang_layout.h"
#include "engine/compiler/simd/normalize/canonicalize.h"
#include "simd/passes.h"

#include "llvm/IR/ValueSymbolTable.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine::simd;
using Kind = LaneLayout::Kind;

namespace {

// ---- Block classes -----------------------------------------------------------------------------

TEST(Variant, IsReadFromAnEnginesName) {
  const Variant one_dimensional = parseVariant("simd:32:full");
  EXPECT_EQ(one_dimensional.granularity, 32u);
  EXPECT_EQ(one_dimensional.tiled, 0u);
  EXPECT_TRUE(one_dimensional.full);
  const Variant sixteen_wide = parseVariant("simd:16x32:partial");
  EXPECT_EQ(sixteen_wide.granularity, 16u);
  EXPECT_EQ(sixteen_wide.tiled, 32u);
  EXPECT_FALSE(sixteen_wide.full);
}

TEST(Variant, AnythingElseIsRefused) {
  for (const char *wrong :
       {"", "simd", "simd:", "simd:0:full", "simd:256:full", "simd:12:full", "simd:32",
        "simd:32:", "simd:32:half", "simd:x:full", "simd:16x:full", "simd:16x16:full",
        "simd:64x128:full", "simd:32xx:full", "reference", "simd:32:full ", "simd:-8:full"})
    EXPECT_THROW(parseVariant(wrong), std::runtime_error) << wrong;
}

// A gang that fits into a row of the block never leaves it.
TEST(Layout, GangsLieInARowIfTheyCan) {
  for (unsigned lanes : {8u, 16u, 32u}) {
    const LaneLayout layout = layoutFor(parseVariant("simd:32:full"), lanes, false);
    EXPECT_EQ(layout.lanes, lanes);
    EXPECT_EQ(layout.kind, Kind::Row);
    EXPECT_TRUE(layout.full);
  }
}

// Rather than leave a row of 48, a gang is 16 lanes; but no fewer than 8.
TEST(Layout, ShortRowsMakeSmallerGangs) {
  const LaneLayout sixteen = layoutFor(parseVariant("simd:16:full"), 32, false);
  EXPECT_EQ(sixteen.lanes, 16u);
  EXPECT_EQ(sixteen.kind, Kind::Row);
  EXPECT_EQ(layoutFor(parseVariant("simd:4:full"), 32, false).lanes, 8u);
}

// Of a block whose rows tile a warp, a gang has up to eight.
TEST(Layout, GangsOfRows) {
  for (const auto &[variant, lanes, row] : {std::tuple("simd:16x32:full", 32u, 16u),
                                            {"simd:8x32:full", 32u, 8u},
                                            {"simd:4x32:full", 32u, 4u}}) {
    const LaneLayout layout = layoutFor(parseVariant(variant), 32, false);
    EXPECT_EQ(layout.lanes, lanes) << variant;
    EXPECT_EQ(layout.kind, Kind::Tiled) << variant;
    EXPECT_EQ(layout.row, row) << variant;
    EXPECT_TRUE(layout.hasRows()) << variant;
  }
  // A row of a single thread is none.
  EXPECT_FALSE(layoutFor(parseVariant("simd:1x32:full"), 32, false).hasRows());
}

// More than a warp, where that is asked for and the block has room: along its rows, or several of
// them one above the other.
TEST(Layout, GangsWiderThanAWarp) {
  const auto layout = [](const char *variant, unsigned wanted) {
    return layoutFor(parseVariant(variant), wanted, false);
  };
  for (const unsigned lanes : {64u, 128u}) {
    EXPECT_EQ(layout("simd:128:full", lanes).lanes, lanes);
    EXPECT_EQ(layout("simd:128:full", lanes).kind, Kind::Row);
    EXPECT_EQ(layout("simd:128:full", lanes).x_multiple, lanes);
    EXPECT_EQ(layout("simd:16x128:full", lanes).lanes, lanes);
    EXPECT_EQ(layout("simd:32x128:full", lanes).row, 32u);
    EXPECT_EQ(layout("simd:64:full", lanes).lanes, 64u);
    EXPECT_EQ(layout("simd:32x64:full", lanes).lanes, 64u);
    EXPECT_EQ(layout("simd:8x64:full", lanes).lanes, 64u);
    EXPECT_EQ(layout("simd:4x128:full", lanes).lanes, 64u); // sixteen rows
    EXPECT_EQ(layout("simd:32:full", lanes).lanes, 32u);
    EXPECT_EQ(layout("simd:16:full", lanes).lanes, 16u);
    EXPECT_TRUE(layout("simd:16x128:full", lanes).hasRows());
    EXPECT_TRUE(layout("simd:8x64:full", lanes).hasRows());
    // Operations of a warp are of one warp.
    EXPECT_EQ(layoutFor(parseVariant("simd:16x128:full"), lanes, true).lanes, 32u);
  }
  // A gang of a warp is a row of such a block.
  EXPECT_EQ(layout("simd:32x128:full", 32).kind, Kind::Row);
  EXPECT_EQ(layout("simd:32x128:full", 32).lanes, 32u);
}

// All of a block, if that is what is known of it and so many lanes are wanted.
TEST(Layout, GangsThatAreTheBlock) {
  const auto layout = [](const char *variant, unsigned wanted) {
    return layoutFor(parseVariant(variant), wanted, false);
  };
  EXPECT_TRUE(layout("simd:16x256:whole", 256).whole);
  EXPECT_EQ(layout("simd:16x256:whole", 256).lanes, 256u);
  EXPECT_TRUE(layout("simd:16x256:whole", 256).full);
  EXPECT_TRUE(layout("simd:8x64:whole", 256).whole);
  EXPECT_FALSE(layout("simd:16x256:whole", 128).whole);
  EXPECT_FALSE(layout("simd:8x64:whole", 32).whole);
  EXPECT_FALSE(layout("simd:8x64:full", 64).whole);
  EXPECT_TRUE(layoutFor(parseVariant("simd:16x32:whole"), 32, true).whole);
  EXPECT_ANY_THROW(parseVariant("simd:16x512:whole"));
  EXPECT_FALSE(layout("simd:16x256:whole", 256).isWholeRow());
}

// A block of one row and of known size.
TEST(Layout, GangsThatAreARow) {
  const auto layout = [](const char *variant, unsigned wanted) {
    return layoutFor(parseVariant(variant), wanted, false);
  };
  for (const unsigned lanes : {32u, 64u, 128u, 256u}) {
    const std::string variant = "simd:" + std::to_string(lanes) + ":whole";
    EXPECT_EQ(parseVariant(variant).blockSize(), lanes);
    EXPECT_TRUE(layout(variant.c_str(), 256).isWholeRow());
    EXPECT_EQ(layout(variant.c_str(), 256).lanes, lanes);
    EXPECT_EQ(layout(variant.c_str(), 16).isWholeRow(), false);
  }
  EXPECT_EQ(parseVariant("simd:1024:whole").blockSize(), 1024u);
  EXPECT_FALSE(layout("simd:1024:whole", 256).whole);
  EXPECT_EQ(parseVariant("simd:16x256:whole").blockSize(), 0u);
  EXPECT_EQ(parseVariant("simd:128:full").blockSize(), 0u);
  for (const char *wrong :
       {"simd:16:whole", "simd:2048:whole", "simd:256:full", "simd:512:partial"})
    EXPECT_ANY_THROW(parseVariant(wrong)) << wrong;
}

TEST(Layout, OfAThreadAlone) {
  const LaneLayout alone = layoutFor(parseVariant("simd:16x32:partial"), 1, false);
  EXPECT_EQ(alone.lanes, 1u);
  EXPECT_TRUE(alone.full);
}

// Operations of a warp need its 32 lanes: then rows of 16 lie one above the other …
TEST(Layout, WholeWarpsHaveAllLanes) {
  const LaneLayout tiled = layoutFor(parseVariant("simd:16x32:full"), 8, true);
  EXPECT_EQ(tiled.lanes, 32u);
  EXPECT_EQ(tiled.kind, Kind::Tiled);
  EXPECT_EQ(tiled.row, 16u);
  // … if blockDim.x is 16; of another multiple of 16 a warp may begin and end anywhere.
  EXPECT_EQ(layoutFor(parseVariant("simd:16:full"), 8, true).kind, Kind::General);
  EXPECT_EQ(layoutFor(parseVariant("simd:1:full"), 8, false).kind, Kind::General);
}

TEST(Layout, BlockSizesAreKnownMultiples) {
  EXPECT_EQ(layoutFor(parseVariant("simd:16:full"), 8, false).x_multiple, 16u);
  EXPECT_EQ(layoutFor(parseVariant("simd:32:full"), 8, false).x_multiple, 32u);
  // One dimension, and not full: 100 threads, say.
  EXPECT_EQ(layoutFor(parseVariant("simd:32:partial"), 8, false).x_multiple, 1u);
  EXPECT_FALSE(layoutFor(parseVariant("simd:32:partial"), 8, false).full);
}

// ---- Shapes ------------------------------------------------------------------------------------

std::string describe(const Shape &shape) {
  switch (shape.kind) {
  case Shape::Kind::Unknown:
    return "unknown";
  case Shape::Kind::Uniform:
    return "uniform";
  case Shape::Kind::Affine:
    return "affine " + std::to_string(shape.stride);
  case Shape::Kind::Rows:
    return "rows " + std::to_string(shape.stride);
  case Shape::Kind::Varying:
    return "varying";
  }
  return "";
}

// The shapes of a function's values, and where its lanes part.
struct Analysis {
  explicit Analysis(const std::string &text, LaneLayout layout = row(32))
      : ir(declarations + text), code(ir.function("f")), dominators(code), post_dominators(code),
        loops(dominators), shapes(code, layout, post_dominators, loops) {}
  std::string of(const std::string &name) const {
    return describe(shapes.of(code.getValueSymbolTable()->lookup(name)));
  }
  const llvm::BasicBlock *block(const std::string &name) const {
    return llvm::cast<llvm::BasicBlock>(code.getValueSymbolTable()->lookup(name));
  }
  Ir ir;
  llvm::Function &code;
  llvm::DominatorTree dominators;
  llvm::PostDominatorTree post_dominators;
  llvm::LoopInfo loops;
  Shapes shapes;
};

// Straight-line code that computes %v from threadIdx (%x, %y, %z), arguments (%n, %p) and %u, of
// which nothing is known.
Shape shapeOf(const std::string &code, LaneLayout layout = row(32)) {
  const Analysis analysis(
      "declare i32 @heddle.lane()\ndefine void @f(ptr %p, i32 %n, i64 %m, ptr %q) {\n"
      "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
      "  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
      "  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()\n"
      "  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
      "  %dx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
      "  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n"
      "  %own = getelementptr i32, ptr %q, i32 %x\n"
      "  %u = load i32, ptr %own\n  " +
          code + "\n  ret void\n}\n",
      layout);
  return analysis.shapes.of(analysis.code.getValueSymbolTable()->lookup("v"));
}

void expectShapes(const std::vector<std::pair<const char *, const char *>> &cases,
                  LaneLayout layout = row(32)) {
  for (const auto &[code, expected] : cases)
    EXPECT_EQ(describe(shapeOf(code, layout)), expected) << code;
}

TEST(Shapes, OfSpecialRegistersFollowFromTheLayout) {
  const LaneLayout tiled{32, Kind::Tiled, 16, 16, true}, general{32, Kind::General, 0, 1, true};
  const char *x = "%v = add i32 %x, 0", *y = "%v = add i32 %y, 0", *z = "%v = add i32 %z, 0";
  expectShapes({{x, "affine 1"}, {y, "uniform"}, {z, "uniform"}});
  expectShapes({{x, "rows 1"}, {y, "rows 0"}, {z, "uniform"}}, tiled);
  expectShapes({{x, "varying"}, {y, "varying"}, {z, "varying"}}, general);
  expectShapes({{"%v = add i32 %lane, 0", "affine 1"}, {"%v = add i32 %bx, 0", "uniform"}},
               general);
}

// In a gang of rows, what is computed from threadIdx.y has a value for each row, and grows along it
// with threadIdx.x.
TEST(Shapes, OfRows) {
  const LaneLayout tiled{32, Kind::Tiled, 16, 16, true};
  expectShapes({{"%v = mul i32 %y, %n", "rows 0"},
                {"%a = mul i32 %y, %n\n  %v = add i32 %a, %x", "rows 1"},
                {"%a = shl i32 %x, 2\n  %v = sub i32 %y, %a", "rows -4"},
                {"%v = mul i32 %x, %y", "varying"},
                {"%v = add i32 %lane, %y", "rows 1"},
                {"%v = add i32 %u, %y", "varying"},
                {"%v = sext i32 %x to i64", "rows 1"},
                {"%a = mul i32 %y, %n\n  %v = sext i32 %a to i64", "rows 0"},
                {"%a = add i32 %x, %n\n  %v = sext i32 %a to i64", "varying"}, // it may wrap
                {"%v = getelementptr float, ptr %p, i32 %x", "rows 4"},
                {"%v = icmp slt i32 %y, %n", "rows 0"},
                {"%v = icmp slt i32 %x, %n", "varying"},
                {"%v = icmp ult i32 %x, 16", "rows 0"},
                {"%c = icmp slt i32 %y, %n\n  %v = select i1 %c, i32 %x, i32 7", "varying"},
                {"%c = icmp slt i32 %y, %n\n  %v = select i1 %c, i32 %y, i32 7", "rows 0"},
                {"%v = call i32 @llvm.smin.i32(i32 %y, i32 %n)", "rows 0"},
                {"%v = and i32 %x, 15", "rows 1"},
                {"%v = lshr i32 %x, 4", "rows 0"},
                {"%v = udiv i32 %y, 3", "rows 0"},
                // A row that is not here may have a zero, and CPUs trap.
                {"%v = udiv i32 %n, %y", "varying"},
                {"%a = getelementptr float, ptr %p, i32 %y\n  %v = load float, ptr %a", "rows 0"},
                {"%a = getelementptr float, ptr %p, i32 %x\n  %v = load float, ptr %a", "varying"}},
               tiled);
}

// Whether these are the block's first rows is the same for all rows of a gang, if it is asked where
// one gang ends and the next begins.
TEST(Shapes, OfQuestionsForGangsOfRows) {
  const LaneLayout two{32, Kind::Tiled, 16, 16, true}, four{32, Kind::Tiled, 8, 8, true};
  const char *below_four = "%v = icmp ult i32 %y, 4", *above_three = "%v = icmp sgt i32 %y, 3",
             *below_six = "%v = icmp slt i32 %y, 6";
  expectShapes({{below_four, "uniform"},
                {above_three, "uniform"},
                {below_six, "uniform"},
                {"%v = icmp ult i32 %y, 3", "rows 0"},
                {"%v = icmp eq i32 %y, 4", "rows 0"},
                {"%v = icmp ne i32 %y, 4", "rows 0"},
                {"%v = icmp ne i32 %y, 3", "rows 0"},
                {"%v = icmp ult i32 %y, %n", "rows 0"},
                {"%a = add i32 %y, 1\n  %v = icmp ult i32 %a, 4", "rows 0"}},
               two);
  expectShapes({{below_four, "uniform"}, {above_three, "uniform"}, {below_six, "rows 0"}}, four);
}

// However many rows there are, and however long: a gang's threads have one threadIdx.z, and as many
// values of threadIdx.y as rows.
TEST(Shapes, OfWideGangs) {
  for (const auto &[lanes, row] : {std::pair(64u, 8u), {128u, 16u}, {128u, 32u}, {64u, 32u}}) {
    const std::string bits = std::to_string(row == 8 ? 3 : row == 16 ? 4 : 5);
    const std::string over = "%v = lshr i32 %x, " + bits,
                      within = "%v = icmp ult i32 %x, " + std::to_string(row);
    expectShapes({{"%v = add i32 %x, 0", "rows 1"},
                  {"%v = add i32 %y, 0", "rows 0"},
                  {"%v = add i32 %z, 0", "uniform"},
                  {"%a = mul i32 %y, %n\n  %v = add i32 %a, %x", "rows 1"},
                  {"%v = mul i32 %x, %y", "varying"},
                  {over.c_str(), "rows 0"},
                  {within.c_str(), "rows 0"},
                  {"%v = icmp ult i32 %x, 5", "varying"},
                  {"%v = getelementptr double, ptr %p, i32 %x", "rows 8"}},
                 {lanes, Kind::Tiled, row, row, true});
  }
  // A row of 128, and the low bits of where it begins.
  expectShapes({{"%v = lshr i32 %x, 7", "uniform"},
                {"%v = lshr i32 %x, 5", "varying"},
                {"%v = and i32 %x, 127", "affine 1"},
                {"%v = and i32 %x, 31", "varying"},
                {"%v = icmp ult i32 %x, 256", "uniform"},
                {"%v = icmp ult i32 %x, 64", "varying"}},
               heddle::engine::simd::row(128));
  EXPECT_EQ(shapeOf("%v = add i32 %x, 0", heddle::engine::simd::row(128)).zeros, 7);
  EXPECT_EQ(
      shapeOf("%t = mul i32 %bx, %dx\n  %v = add i32 %t, %x", heddle::engine::simd::row(64)).zeros,
      6);
}

// A thread alone shares everything with itself.
TEST(Shapes, OfAThreadAlone) {
  expectShapes({{"%v = add i32 %x, %u", "uniform"}, {"%v = load i32, ptr %own", "uniform"}},
               {.lanes = 1});
}

TEST(Shapes, OfSumsAndProducts) {
  expectShapes({{"%v = add i32 %x, %n", "affine 1"},
                {"%v = sub i32 %n, %x", "affine -1"},
                {"%v = sub i32 %x, %x", "uniform"},
                {"%v = mul i32 %x, 12", "affine 12"},
                {"%v = shl i32 %x, 3", "affine 8"},
                {"%v = or disjoint i32 %x, 64", "affine 1"},
                {"%v = mul i32 %n, %n", "uniform"},
                {"%v = add i32 %x, %u", "varying"},
                // The factor is not known here.
                {"%v = mul i32 %x, %n", "varying"},
                {"%v = mul i32 %x, %x", "varying"}});
}

// A distance has 64 bits. A wider number that shrinks from lane to lane would need more.
TEST(Shapes, OfNumbersOfMoreThan64Bits) {
  const LaneLayout tiled{32, Kind::Tiled, 16, 16, true};
  const char *signed_product = "%a = zext i32 %x to i128\n  %v = sub i128 0, %a";
  const char *shifted = "%a = zext i32 %x to i128\n  %v = shl i128 %a, 62";
  for (const LaneLayout &layout : {row(32), tiled})
    expectShapes({{signed_product, "varying"}, {shifted, "varying"}}, layout);
  const char *same_in_row = "%a = zext i32 %y to i128\n  %v = sub i128 0, %a";
  expectShapes({{same_in_row, "uniform"}});
  expectShapes({{same_in_row, "rows 0"}}, tiled);
}

// A gang's first thread has an index that is a multiple of its size: that many low bits are 0.
TEST(Shapes, KnowTheFirstLanesLowBits) {
  EXPECT_EQ(shapeOf("%v = add i32 %x, 0").zeros, 5);
  EXPECT_EQ(shapeOf("%v = mul i32 %x, 4").zeros, 7);
  EXPECT_EQ(shapeOf("%v = add i32 %x, 4").zeros, 2);
  EXPECT_EQ(shapeOf("%v = add i32 %dx, 0").zeros, 5);
  EXPECT_EQ(shapeOf("%v = add i32 %n, 0").zeros, 0);
  EXPECT_EQ(shapeOf("%t = mul i32 %bx, %dx\n  %v = add i32 %t, %x").zeros, 5);
}

// So the bits above are the same in all lanes, and those below count the lanes.
TEST(Shapes, OfAlignedBits) {
  expectShapes({{"%v = lshr i32 %x, 5", "uniform"},
                {"%v = lshr i32 %x, 6", "uniform"},
                {"%v = lshr i32 %x, 4", "varying"},
                {"%v = and i32 %x, 31", "affine 1"},
                {"%v = and i32 %x, -32", "uniform"},
                {"%v = and i32 %x, 96", "uniform"},
                {"%v = and i32 %x, 15", "varying"},
                {"%t = shl i32 %x, 2\n  %v = lshr i32 %t, 2", "affine 1"},
                {"%t = shl i32 %x, 2\n  %v = and i32 %t, 3", "uniform"},
                // Moved by one, lanes lie in two aligned groups of 32.
                {"%t = add i32 %x, 1\n  %v = lshr i32 %t, 5", "varying"}});
}

// What has grown beyond the type's bits is gone, and the highest bit is a sign: half of these lanes
// are negative.
// threadIdx.x % 32, once it is asked of the lane's number: a warp's striped elements are
// neighbours.
TEST(Shapes, OfTheLanesNumber) {
  const std::string lane = "%l = call i32 @heddle.lane()\n  ";
  EXPECT_EQ(describe(shapeOf(lane + "%v = and i32 %l, 31")), "affine 1");
  EXPECT_EQ(describe(shapeOf(lane + "%v = and i32 %l, 15")), "varying");
  EXPECT_EQ(
      describe(shapeOf(lane + "%r = and i32 %l, 31\n  %w = and i32 %x, 96\n"
                              "  %first = mul i32 %w, 15\n  %v = or disjoint i32 %first, %r")),
      "affine 1");
}

TEST(Shapes, OfLanesThatFillTheType) {
  const auto of = [](const std::string &code) { return describe(shapeOf(code)); };
  const std::string filled = "%t = shl i32 %x, 27\n  %v = ",
                    wrapped = "%t = shl i32 %x, 28\n  %v = ";
  EXPECT_EQ(of(filled + "lshr i32 %t, 3"), "affine 16777216");
  EXPECT_EQ(of(filled + "ashr i32 %t, 3"), "varying");
  EXPECT_EQ(of(filled + "zext i32 %t to i64"), "affine 134217728");
  EXPECT_EQ(of(filled + "sext i32 %t to i64"), "varying");
  EXPECT_EQ(of(filled + "getelementptr i8, ptr %p, i32 %t"), "varying");
  EXPECT_EQ(of(filled + "icmp slt i32 %t, 0"), "varying");
  EXPECT_EQ(of(filled + "icmp sgt i32 %t, -1"), "varying");
  EXPECT_EQ(of(wrapped + "lshr i32 %t, 3"), "varying");
  EXPECT_EQ(of(wrapped + "zext i32 %t to i64"), "varying");
  EXPECT_EQ(of("%t = shl i32 %x, 25\n  %v = ashr i32 %t, 3"), "affine 4194304");
  EXPECT_EQ(of("%t = shl i32 %x, 25\n  %v = icmp slt i32 %t, 0"), "uniform");
  // 31 times this is 15, modulo 2^64.
  EXPECT_EQ(of("%l = zext i32 %x to i64\n"
               "  %t = mul i64 %l, 595056260442243601\n  %w = shl i64 %t, 8\n"
               "  %v = lshr i64 %w, 8"),
            "varying");
}

// A distance is a signed number of the type's width: so it stays the same in a wider type.
TEST(Shapes, OfDistancesInNarrowTypes) {
  const std::string shrinking = "%t = mul i32 %x, -3\n  ";
  expectShapes({{(shrinking + "%v = add i32 %t, %n").c_str(), "affine -3"},
                {"%v = shl i32 %x, 31", "affine -2147483648"},
                {"%t = shl i32 %x, 8\n  %v = trunc i32 %t to i8", "uniform"},
                {"%t = mul i32 %x, 255\n  %v = trunc i32 %t to i8", "affine -1"},
                // Known not to be negative.
                {"%t = or disjoint i32 %x, -2147483648\n  %s = mul nsw i32 %t, -3\n"
                 "  %v = zext i32 %s to i64",
                 "affine -3"}});
  const char *most = "%l = zext i32 %x to i64\n  %t = shl i64 %l, 62\n  %s = add i64 %t, %t\n"
                     "  %v = add i64 %s, %s";
  expectShapes({{most, "uniform"}});
}

TEST(Shapes, OfAlignedCompares) {
  const std::string warp = "%w = lshr i32 %x, 5\n  ";
  expectShapes({{(warp + "%v = icmp eq i32 %w, 0").c_str(), "uniform"},
                {"%v = icmp ult i32 %x, 64", "uniform"},
                {"%v = icmp ugt i32 %x, 63", "uniform"},
                {"%v = icmp ule i32 %x, 95", "uniform"},
                {"%v = icmp slt i32 %x, 128", "uniform"},
                {"%v = icmp ult i32 %x, 40", "varying"},
                {"%v = icmp ugt i32 %x, 64", "varying"},
                {"%v = icmp eq i32 %x, 0", "varying"},
                {"%v = icmp ult i32 %x, %n", "varying"},
                {"%t = shl i32 %n, 5\n  %v = icmp ult i32 %x, %t", "uniform"},
                {"%t = add i32 %x, %n\n  %v = icmp eq i32 %t, %x", "uniform"}});
  // 16 lanes more often agree than 32.
  expectShapes({{"%v = icmp ult i32 %x, 16", "varying"}});
  expectShapes({{"%v = icmp ult i32 %x, 16", "uniform"}}, row(16));
}

// An address grows by what its index grows, in bytes. An index that may wrap around in 32 bits may
// jump by 4 GiB in 64: it must be known not to.
TEST(Shapes, OfAddresses) {
  const auto at = [](const std::string &index) {
    return index + "\n  %v = getelementptr float, ptr %p, i64 %i";
  };
  EXPECT_EQ(describe(shapeOf(at("%i = zext i32 %x to i64"))), "affine 4");
  EXPECT_EQ(describe(shapeOf(at("%s = sub i32 %n, %x\n  %i = sext i32 %s to i64"))), "varying");
  EXPECT_EQ(describe(shapeOf(at("%s = add i32 %x, %n\n  %i = sext i32 %s to i64"))), "varying");
  EXPECT_EQ(describe(shapeOf(at("%s = shl i32 %n, 5\n  %a = add i32 %x, %s\n"
                                "  %i = sext i32 %a to i64"))),
            "affine 4");
  EXPECT_EQ(describe(shapeOf(at("%w = zext i32 %x to i64\n  %i = sub i64 %m, %w"))), "affine -4");
  EXPECT_EQ(describe(shapeOf(at("%i = add i64 %m, 1"))), "uniform");
  expectShapes({{"%v = getelementptr {i32, i64}, ptr %p, i32 %x, i32 1", "affine 16"},
                {"%v = getelementptr i8, ptr %p, i32 %u", "varying"}});
}

// What memory holds is the same for all that look at the same place; atomics answer each lane.
TEST(Shapes, OfMemory) {
  expectShapes({{"%v = load i32, ptr %p", "uniform"},
                {"%v = load i32, ptr %own", "varying"},
                {"%v = atomicrmw add ptr %p, i32 1 seq_cst", "varying"},
                {"%t = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst\n"
                 "  %v = extractvalue {i32, i1} %t, 0",
                 "varying"}});
}

TEST(Shapes, OfOtherOperations) {
  expectShapes({{"%v = trunc i64 %m to i32", "uniform"},
                {"%v = trunc i32 %x to i8", "affine 1"},
                {"%v = trunc i32 %x to i1", "varying"},
                {"%v = sitofp i32 %x to float", "varying"},
                {"%v = sitofp i32 %n to float", "uniform"},
                {"%v = freeze i32 %x", "affine 1"},
                {"%c = icmp eq i32 %n, 0\n  %v = select i1 %c, i32 %x, i32 %lane", "affine 1"},
                {"%c = icmp eq i32 %n, 0\n  %v = select i1 %c, i32 %x, i32 0", "varying"},
                {"%c = icmp eq i32 %x, 0\n  %v = select i1 %c, i32 1, i32 0", "varying"}});
}

// ---- Control flow ------------------------------------------------------------------------------

// Ways meet again behind a branch at which lanes part: phis there differ though their values do
// not.
TEST(Divergence, MakesPhisDiffer) {
  const char *text = "define void @f(i32 %n) {\nentry:\n"
                     "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                     "  %c = icmp COMPARE\n  br i1 %c, label %a, label %b\n"
                     "a:\n  br label %end\nb:\n  br label %end\n"
                     "end:\n  %v = phi i32 [ 1, %a ], [ 2, %b ]\n"
                     "  %same = phi i32 [ %n, %a ], [ %n, %b ]\n  ret void\n}\n";
  const auto with = [&](const char *compare) {
    return std::string(text).replace(std::string(text).find("COMPARE"), 7, compare);
  };
  const Analysis parting(with("eq i32 %x, 3"));
  EXPECT_TRUE(parting.shapes.divergesAt(parting.block("entry")));
  EXPECT_TRUE(parting.shapes.isDivergent(parting.block("a")));
  EXPECT_TRUE(parting.shapes.isDivergent(parting.block("b")));
  EXPECT_FALSE(parting.shapes.isDivergent(parting.block("end")));
  EXPECT_EQ(parting.of("v"), "varying");
  EXPECT_EQ(parting.of("same"), "uniform");
  const Analysis together(with("eq i32 %n, 3"));
  EXPECT_FALSE(together.shapes.divergesAt(together.block("entry")));
  EXPECT_FALSE(together.shapes.isDivergent(together.block("a")));
  EXPECT_EQ(together.of("v"), "uniform");
}

std::string loopUntil(const std::string &limit) {
  return "define void @f(i32 %n, ptr %p) {\nentry:\n"
         "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  br label %loop\n"
         "loop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
         "  %j = phi i32 [ %x, %entry ], [ %step, %loop ]\n"
         "  %k = phi i32 [ 1, %entry ], [ %double, %loop ]\n"
         "  %double = add i32 %k, %x\n"
         "  %next = add i32 %i, 1\n  %step = add i32 %j, %n\n"
         "  %go = icmp slt i32 %next, " +
         limit +
         "\n  br i1 %go, label %loop, label %end\n"
         "end:\n  %last = phi i32 [ %i, %loop ]\n  ret void\n}\n";
}

// The usual loop: its counter is uniform, and grid-stride indices stay affine.
TEST(Divergence, LoopsThatAllLeaveTogether) {
  const Analysis analysis(loopUntil("%n"));
  EXPECT_EQ(analysis.of("i"), "uniform");
  EXPECT_EQ(analysis.of("j"), "affine 1");
  EXPECT_EQ(analysis.of("k"), "varying"); // grows by another stride each round
  EXPECT_EQ(analysis.of("last"), "uniform");
  EXPECT_FALSE(analysis.shapes.isDivergent(analysis.block("loop")));
}

// Temporal divergence: inside, the counter is the same for all that are still there. Lanes that
// have left saw it at different times.
TEST(Divergence, LoopsThatLanesLeaveAtDifferentTimes) {
  const Analysis analysis(loopUntil("%x"));
  EXPECT_EQ(analysis.of("i"), "uniform");
  EXPECT_EQ(analysis.of("j"), "affine 1");
  EXPECT_EQ(analysis.of("last"), "varying");
  EXPECT_TRUE(analysis.shapes.isDivergent(analysis.block("loop")));
  EXPECT_FALSE(analysis.shapes.isDivergent(analysis.block("end")));
}

// `if (x == 3) break;` in the middle parts the lanes for the rest of the loop too.
TEST(Divergence, Breaks) {
  const Analysis analysis("define void @f(i32 %n) {\nentry:\n"
                          "  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  br label %loop\n"
                          "loop:\n  %i = phi i32 [ 0, %entry ], [ %next, %rest ]\n"
                          "  %c = icmp eq i32 %i, %x\n  br i1 %c, label %early, label %rest\n"
                          "rest:\n  %next = add i32 %i, 1\n  %go = icmp slt i32 %next, %n\n"
                          "  br i1 %go, label %loop, label %late\n"
                          "early:\n  %at = phi i32 [ %i, %loop ]\n  br label %end\n"
                          "late:\n  %after = phi i32 [ %next, %rest ]\n  br label %end\n"
                          "end:\n  %v = phi i32 [ 0, %early ], [ 1, %late ]\n  ret void\n}\n");
  EXPECT_FALSE(analysis.shapes.divergesAt(analysis.block("rest")));
  for (const char *block : {"loop", "rest", "early", "late"})
    EXPECT_TRUE(analysis.shapes.isDivergent(analysis.block(block))) << block;
  EXPECT_EQ(analysis.of("at"), "varying");
  EXPECT_EQ(analysis.of("v"), "varying");
  EXPECT_FALSE(analysis.shapes.isDivergent(analysis.block("end")));
}

} // namespace
