// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gangs of rows (widen.h, tiled_values.h): what depends on threadIdx.y has a scalar for each row,
// and a row's neighbours are a vector. All gangs here are two rows of four lanes.
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// threadIdx.y is %y; %a is the address of this thread's element in rows of %n, %r of its row's.
std::string inRows(const std::string &body, const std::string &more = "") {
  return widened("  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
                 "  %yw = zext i32 %y to i64\n  %nw = zext i32 %n to i64\n"
                 "  %start = mul i64 %yw, %nw\n  %i = add i64 %start, %wide\n"
                 "  %a = getelementptr float, ptr %p, i64 %i\n"
                 "  %r = getelementptr float, ptr %p, i64 %start\n" +
                     body,
                 {.layout = {8, LaneLayout::Kind::Tiled, 4, 4, true}}, more);
}

// The name of what this computes, "%y6" of "%y6 = add …".
std::string nameOf(const std::string &text, const std::string &operation) {
  const size_t end = text.find(" = " + operation), start = text.rfind('%', end);
  EXPECT_NE(end, std::string::npos) << operation << " is not in\n" << text;
  return text.substr(start, end - start);
}

const std::string second_row = "add i32 %y0, 1"; // its threadIdx.y
const std::string every_second_row = "  %odd = and i32 %y, 1\n  %o = icmp eq i32 %odd, 0\n";

// ---- Values ------------------------------------------------------------------------------------

TEST(WidenRows, ComputeAScalarForEach) {
  const std::string text = inRows("  %v = mul nsw i32 %y, %n\n  %w = xor i32 %v, 5\n"
                                  "  store i32 %w, ptr %a, align 4\n");
  const std::string y = nameOf(text, second_row), v = nameOf(text, "add i32 %v, ");
  expectInOrder(text, {"%y = add i32 %y0, 0", y + " = add i32 %y0, 1"});
  expectInOrder(text, {"%v = mul i32 %y, %n", v, "%w = xor i32 %v, 5", " = xor i32 " + v + ", 5"});
  // Of a row that is not here, the value may overflow.
  expectNone(text, {"mul <", "xor <", "nsw"});
}

// If they grow by the same number from row to row, only the first is computed as the program says.
TEST(WidenRows, AreOneAdditionApart) {
  const std::string text = inRows("  store i32 1, ptr %a, align 4\n");
  expectInOrder(text, {"%start = mul i64 %yw, %nw", "add i64 %start, "});
  EXPECT_EQ(count(text, ", %nw"), 2u); // the second makes the distance
  expectInOrder(text,
                {"%a = getelementptr float, ptr %p, i64 %i", "getelementptr i8, ptr %a, i64 "});
}

// p[y * n + 3 - x]: each row's vector is reversed for itself.
TEST(WidenRows, BackwardsEachForItself) {
  const std::string place = "  %back = sub i64 %start, %wide\n"
                            "  %b = getelementptr float, ptr %p, i64 %back\n";
  const std::string reversal = "<4 x i32> <i32 3, i32 2, i32 1, i32 0>";
  const std::string loaded =
      inRows(place + "  %v = load float, ptr %b, align 4\n  store float %v, ptr %a, align 4\n");
  EXPECT_EQ(count(loaded, "load <4 x float>"), 2u);
  EXPECT_EQ(count(loaded, reversal), 2u);
  expectNone(loaded, {"load float"});
  const std::string stored =
      inRows(place + "  %v = load float, ptr %a, align 4\n  store float %v, ptr %b, align 4\n");
  EXPECT_EQ(count(stored, "store <4 x float>"), 2u);
  EXPECT_EQ(count(stored, reversal), 2u);
  expectNone(stored, {"store float"});
}

// In 32 bits, only if the program does not let them wrap.
TEST(WidenRows, MayWrapInBetween) {
  const auto product = [](const std::string &flags) {
    return inRows("  %v = mul " + flags + "i32 %y, %n\n  store i32 %v, ptr %a, align 4\n");
  };
  EXPECT_EQ(count(product("nsw "), " = mul i32 "), 1u);
  EXPECT_EQ(count(product(""), " = mul i32 "), 2u);
}

// The high half of a 64-bit product is computed in 128 bits, which no distance has.
TEST(WidenRows, OfNumbersOfMoreThan64Bits) {
  const std::string text = inRows("  %l = zext i32 %y to i128\n  %k = zext i64 %nw to i128\n"
                                  "  %v = mul nuw nsw i128 %l, %k\n  %h = lshr i128 %v, 64\n"
                                  "  %w = trunc i128 %h to i32\n  store i32 %w, ptr %a, align 4\n");
  EXPECT_EQ(count(text, " = mul i128 "), 2u);
}

// The corners of the gang say whether all its lanes' values fit.
TEST(WidenRows, AreInRangeIfTheirCornersAre) {
  const std::string text = inRows("  %ok = call i1 @heddle.in.range(i64 %i, i64 -2147483648)\n"
                                  "  %k = zext i1 %ok to i32\n  store i32 %k, ptr %e, align 4\n",
                                  "declare i1 @heddle.in.range(i64, i64)\n");
  EXPECT_EQ(count(text, "icmp ult i64 "), 5u); // four corners, and the distance of rows
  expectInOrder(text, {"icmp ult i64 %", ", 8589934592", "sub i64 %i, -2147483648",
                       "icmp ult i64 %", ", 4294967296"});
}

// What all lanes have in common is the same in each row; of what grows from lane to lane, the
// second row begins four lanes later.
TEST(WidenRows, AreMadeOfWhatHasOneScalar) {
  const std::string text =
      inRows("  %l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n  %t = mul i32 %l, 3\n"
             "  %v = add i32 %t, %y\n  store i32 %v, ptr %a, align 4\n");
  expectInOrder(text, {"= add i32 %t, 12", "%v = add i32 %t, %y", "= add i32 %",
                       ", " + nameOf(text, second_row), "<i32 0, i32 3, i32 6, i32 9>",
                       "<i32 0, i32 3, i32 6, i32 9>"});
}

TEST(WidenRows, BecomeAVectorBesideTheirDefinition) {
  const std::string text = inRows("  %v = mul i32 %y, %n\n  %s = add i32 %v, %u\n"
                                  "  store i32 %s, ptr %a, align 4\n");
  expectInOrder(text,
                {"%v = mul i32 %y, %n", "insertelement <4 x i32> poison, i32 %v, i64 0",
                 "insertelement <4 x i32> poison, i32 %v", "shufflevector <4 x i32>",
                 "<i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>", "%s = add <8 x i32>"});
}

// A condition of rows is a mask: four bits for each that it holds for.
TEST(WidenRows, MasksAreMadeOfRows) {
  const std::string text = inRows(every_second_row + "  call void @heddle.mask(i1 %o)\n"
                                                     "  store volatile i32 %u, ptr %a, align 4\n");
  expectInOrder(text, {"%o = icmp eq i32 %odd, 0", "icmp eq i32 %odd", "select i1 %o, i8 15, i8 0",
                       "select i1 %", "i8 -16, i8 0", "bitcast i8", "to <8 x i1>"});
}

TEST(WidenRows, HavePhisOfTheirOwn) {
  const std::string text =
      inRows("  br label %loop\nloop:\n  %k = phi i32 [ %y, %code ], [ %next, %loop ]\n"
             "  %g = phi i32 [ 0, %code ], [ %more, %loop ]\n"
             "  %next = add i32 %k, %n\n  %more = add i32 %g, 1\n"
             "  %go = icmp slt i32 %more, %n\n  br i1 %go, label %loop, label %end\n"
             "end:\n  store i32 %next, ptr %a, align 4\n");
  expectInOrder(text, {"loop:", "%k = phi i32 [ %y, %code ], [ %next, %loop ]",
                       "phi i32 [ " + nameOf(text, second_row) + ", %code ]",
                       "%g = phi i32 [ 0, %code ]", "%next = add i32 %k, %n"});
  expectNone(text, {"phi <8 x i32>"});
}

// ---- Memory ------------------------------------------------------------------------------------

TEST(WidenRows, LoadAScalarEach) {
  const std::string text = inRows("  %v = load i32, ptr %r, align 4\n"
                                  "  store i32 %v, ptr %a, align 4\n");
  expectInOrder(text, {"%v = load i32, ptr %r,", "load i32, ptr %r"});
  EXPECT_EQ(count(text, "load i32, ptr %r"), 2u);
  expectNone(text, {"gather", "load <8 x i32>"});
}

// A row of which no lane is here looks where another does: its own place may not exist.
TEST(WidenRows, LoadFromRowsWithActiveLanes) {
  const std::string text = inRows(masked + "  %v = load i32, ptr %r, align 4\n"
                                           "  store i32 %v, ptr %a, align 4\n");
  const std::string before = text.substr(0, text.find("%v = load i32"));
  // The first row's place if it is here, else the second's …
  expectInOrder(before, {"and i32 %", ", 15", "icmp ne i32", "select i1 %", "ptr %r, ptr %r"});
  // … in place of that of each row that is not.
  expectInOrder(before, {", 15", ", 15", ", 240", "icmp ne i32", "select i1 %"});
  EXPECT_EQ(count(before, "select i1 %"), 3u);
  EXPECT_EQ(count(text, "load i32, ptr %"), 2u);
}

TEST(WidenRows, OfNeighboursAreVectors) {
  const std::string text = inRows("  %v = load float, ptr %a, align 4\n"
                                  "  store float %v, ptr %a, align 4\n");
  EXPECT_EQ(count(text, "load <4 x float>, ptr %a"), 2u);
  EXPECT_EQ(count(text, "store <4 x float> %"), 2u);
  // Each stores its own half.
  expectInOrder(text, {"<4 x i32> <i32 0, i32 1, i32 2, i32 3>", "store <4 x float>",
                       "<4 x i32> <i32 4, i32 5, i32 6, i32 7>", "store <4 x float>"});
  expectNone(text, {"load float", "store float", "masked"});
}

// Each row has its part of the mask.
TEST(WidenRows, OfNeighboursUnderAMask) {
  const std::string text = inRows(masked + "  %v = load float, ptr %a, align 4\n"
                                           "  store float %v, ptr %a, align 4\n");
  EXPECT_EQ(count(text, "@llvm.masked.load.v4f32.p0(ptr %a"), 2u);
  expectInOrder(text, {"trunc i8 %", "to i4", "to <4 x i1>", "@llvm.masked.load.v4f32", "lshr i8 %",
                       ", 4", "trunc i8", "to <4 x i1>", "@llvm.masked.load.v4f32"});
  expectInOrder(text, {"br i1 %all.here", "store <4 x float>", "store <4 x float>"});
  EXPECT_EQ(count(text, "@llvm.masked.store.v4f32.p0("), 2u);
}

// Volatile memory is accessed by all lanes at once, or lane by lane.
TEST(WidenRows, NotOfVolatileMemory) {
  const std::string text = inRows("  %v = load volatile float, ptr %a, align 4\n"
                                  "  store float %v, ptr %a, align 4\n");
  EXPECT_EQ(count(text, "load volatile float"), 8u);
  EXPECT_EQ(count(inRows("  %v = load volatile float, ptr %r, align 4\n"
                         "  store float %v, ptr %a, align 4\n"),
                  "load volatile float"),
            8u);
}

// An index of each row is asked for wrapping, and each row has its address.
TEST(WidenRows, OfIndicesThatMayWrap) {
  const std::string text = inRows("  %j = add i32 %x, %y\n  %k = add i32 %j, %n\n"
                                  "  %w = sext i32 %k to i64\n"
                                  "  %b = getelementptr float, ptr %p, i64 %w\n"
                                  "  %v = load float, ptr %b, align 4\n"
                                  "  store float %v, ptr %a, align 4\n");
  expectInOrder(text, {"add i32 %k, 3", "icmp sle i32 %k,", "icmp sle i32 %", "br i1",
                       "load <4 x float>", "load <4 x float>"});
  EXPECT_EQ(count(text, "load float"), 8u);
}

// ---- Eight rows ---------------------------------------------------------------------------------

// Of a gang of 128 lanes in rows of 16, each row has its bits of the mask.
TEST(WidenRows, OfAWideGang) {
  const std::string rows = "  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
                           "  %yw = zext i32 %y to i64\n  %nw = zext i32 %n to i64\n"
                           "  %start = mul i64 %yw, %nw\n  %i = add i64 %start, %wide\n"
                           "  %a = getelementptr float, ptr %p, i64 %i\n"
                           "  %r = getelementptr float, ptr %p, i64 %start\n";
  const WidenOptions options{.layout = {128, LaneLayout::Kind::Tiled, 16, 16, true}};
  const std::string text =
      widened(rows + masked +
                  "  %v = load float, ptr %a, align 4\n  %w = load float, ptr %r\n"
                  "  %s = fadd float %v, %w\n  store float %s, ptr %a, align 4\n",
              options);
  EXPECT_EQ(count(text, "@llvm.masked.load.v16f32.p0("), 8u);
  EXPECT_EQ(count(text, "@llvm.masked.store.v16f32.p0("), 8u);
  EXPECT_EQ(count(text, "= load float, ptr %"), 8u);
  // Whether any lane of the third row, or the last, is active.
  expectInOrder(text, {"and i128 %", ", 281470681743360\n", "icmp ne i128"});
  expectInOrder(text, {"and i128 %", ", -5192296858534827628530496329220096\n", "icmp ne i128"});
  const std::string all = widened(rows + "  %odd = and i32 %y, 1\n  %o = icmp eq i32 %odd, 0\n"
                                         "  call void @heddle.mask(i1 %o)\n"
                                         "  store volatile i32 %u, ptr %a, align 4\n",
                                  options);
  EXPECT_EQ(count(all, "select i1 %"), 8u);
  expectInOrder(all, {"select i1 %o, i128 65535, i128 0", "i128 4294901760, i128 0",
                      "i128 -5192296858534827628530496329220096, i128 0", "bitcast i128",
                      "to <128 x i1>"});
}

// ---- Every few elements ------------------------------------------------------------------------

// Vectors for each row; of a mask, each has its row's lanes.
TEST(WidenRows, OfEverySecondElement) {
  const std::string place = "  %d = shl i64 %wide, 1\n  %e2 = add i64 %start, %d\n"
                            "  %b = getelementptr float, ptr %p, i64 %e2\n";
  const std::string text = inRows(place + "  %v = load float, ptr %b, align 4\n"
                                          "  store float %v, ptr %a, align 4\n");
  EXPECT_EQ(count(text, "load <4 x float>"), 4u);
  EXPECT_EQ(count(text, "<4 x i32> <i32 0, i32 2, i32 5, i32 7>"), 2u);
  const std::string some = inRows(place + masked + "  store i32 %u, ptr %b, align 4\n");
  EXPECT_EQ(count(some, "@llvm.masked.store.v4i32"), 4u);
  expectInOrder(some, {"<4 x i32> <i32 0, i32 8, i32 1, i32 8>", "@llvm.masked.store",
                       "<4 x i32> <i32 8, i32 2, i32 8, i32 3>", "@llvm.masked.store",
                       "<4 x i32> <i32 4, i32 8, i32 5, i32 8>", "@llvm.masked.store",
                       "<4 x i32> <i32 8, i32 6, i32 8, i32 7>", "@llvm.masked.store"});
}

// `i / 4` grows by a quarter of what i does, if that is a whole number and i does not wrap.
TEST(WidenRows, AQuarterGrowsByAQuarter) {
  const auto quarter = [](const std::string &type, const std::string &scale) {
    return inRows("  %yt = " + std::string(type == "i64" ? "add i64 %yw, 0" : "add nsw i32 %y, 0") +
                  "\n  %v = mul nsw " + type + " %yt, " + scale + "\n  %s = ashr " + type +
                  " %v, 2\n  store " + type + " %s, ptr %a, align 4\n");
  };
  EXPECT_EQ(count(quarter("i32", "8"), " = ashr i32 "), 1u);
  EXPECT_EQ(count(quarter("i32", "2"), " = ashr i32 "), 2u);
  EXPECT_EQ(count(quarter("i64", "8"), " = ashr i64 "), 2u); // which may wrap in between
}

// In a short row, the register's other lanes are masked off.
TEST(WidenRows, MasksOfShortRowsCoverARegister) {
  const std::string text =
      widened("  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()\n"
              "  %yw = zext i32 %y to i64\n  %start = mul i64 %yw, 100\n"
              "  %i = add i64 %start, %wide\n  %a = getelementptr i8, ptr %p, i64 %i\n" +
                  masked + "  %v = load i8, ptr %a, align 1\n  store i8 %v, ptr %a, align 1\n",
              {.layout = {8, LaneLayout::Kind::Tiled, 4, 4, true}, .native_gather = true});
  EXPECT_EQ(count(text, "@llvm.masked.load.v16i8"), 2u);
  EXPECT_EQ(count(text, "@llvm.masked.store.v16i8"), 2u);
  expectInOrder(text, {"zext i4", " to i16", "bitcast i16", "to <16 x i1>", "@llvm.masked.load"});
}

} // namespace
