// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads at the borders of an array, where lanes choose between neighbours and one place
// (piecewise_access.cpp). Gangs here are eight lanes.
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

const WidenOptions avx512{.layout = row(8), .native_gather = true};
const std::string minimum = "declare i32 @llvm.smin.i32(i32, i32)\n";
const std::string use = "  %v = load float, ptr %a, align 4\n  store float %v, ptr %e\n";

std::string loading(const std::string &index, WidenOptions options = avx512) {
  return widened(index + use, options, minimum);
}

// x > 0 ? x - 1 : n
const std::string left = "  %l = add nsw i32 %x, -1\n  %inside = icmp sgt i32 %x, 0\n"
                         "  %i = select i1 %inside, i32 %l, i32 %n\n  %w = sext i32 %i to i64\n"
                         "  %a = getelementptr float, ptr %p, i64 %w\n";

// Neighbours for the lanes that have chosen them, even where the first lane's would be outside; one
// element for the others, if there are any.
TEST(PiecewiseAccess, NeighboursOrOnePlace) {
  const std::string text = loading(left);
  expectInOrder(text, {"@llvm.masked.load.v8f32.p0(ptr %", "<8 x i1> %", "bitcast <8 x i1>",
                       "icmp ne i32 %", "@llvm.masked.load.v4f32.p0(ptr %", "shufflevector",
                       "zeroinitializer", "select <8 x i1> %", "store <8 x float>"});
  expectNone(text, {"gather", "extractelement"});
}

// Without lanes, a side's address may be of no memory: even a masked load of that is slow.
TEST(PiecewiseAccess, SidesWithoutLanesLoadFromAnother) {
  const std::string text = loading("  %a = select i1 %c, ptr %e, ptr %q\n");
  expectInOrder(text, {"%any_lane = icmp ne", "select i1 %any_lane, ptr %e, ptr %q",
                       "@llvm.masked.load", "%any_lane", "ptr %q, ptr %e", "@llvm.masked.load"});
}

// Only for the lanes that are here.
TEST(PiecewiseAccess, UnderAMask) {
  const std::string text = widened(masked + left + use, avx512, minimum);
  expectInOrder(text, {"select <8 x i1> %c, <8 x i1> %inside, <8 x i1> zeroinitializer",
                       "@llvm.masked.load.v8f32.p0(ptr %", "@llvm.masked.load.v4f32.p0(ptr %"});
  expectNone(text, {"gather"});
}

TEST(PiecewiseAccess, MinimaAndMaxima) {
  const std::string text = loading("  %r = add nsw i32 %x, 1\n"
                                   "  %i = call i32 @llvm.smin.i32(i32 %r, i32 %n)\n"
                                   "  %w = sext i32 %i to i64\n"
                                   "  %a = getelementptr float, ptr %p, i64 %w\n");
  expectInOrder(text, {"= icmp slt <8 x i32> %", "@llvm.masked.load.v8f32.p0(ptr %",
                       "@llvm.masked.load.v4f32.p0(ptr %"});
  expectNone(text, {"gather"});
}

// A row and a column of it; and a choice between pointers.
TEST(PiecewiseAccess, PartsOfAddresses) {
  expectNone(loading("  %l = add nsw i32 %x, -1\n  %i = select i1 %c, i32 %l, i32 7\n"
                     "  %start = mul nsw i32 %n, 100\n  %j = add nsw i32 %start, %i\n"
                     "  %w = sext i32 %j to i64\n  %a = getelementptr float, ptr %p, i64 %w\n"),
             {"gather"});
  expectNone(loading("  %a = select i1 %c, ptr %e, ptr %q\n"), {"gather"});
}

void expectGather(const std::string &index, const WidenOptions &options = avx512) {
  expectInOrder(loading(index, options), {"gather"});
}

TEST(PiecewiseAccess, NotOfOtherPlaces) {
  expectGather("  %i = select i1 %c, i32 %u, i32 %n\n  %w = sext i32 %i to i64\n"
               "  %a = getelementptr float, ptr %p, i64 %w\n");
  expectGather("  %t = mul nsw i32 %x, 3\n  %i = select i1 %c, i32 %t, i32 %n\n"
               "  %w = sext i32 %i to i64\n  %a = getelementptr float, ptr %p, i64 %w\n");
}

// That it does not wrap is not known of the lanes that choose it.
TEST(PiecewiseAccess, NotOfSumsThatMayWrap) {
  expectGather("  %l = add i32 %x, %n\n  %i = select i1 %c, i32 %l, i32 7\n"
               "  %w = sext i32 %i to i64\n  %a = getelementptr float, ptr %p, i64 %w\n");
}

// Bytes have masks on few CPUs.
TEST(PiecewiseAccess, NotWithoutMasks) {
  const std::string bytes = "  %a = select i1 %c, ptr %r, ptr %q\n"
                            "  %v = load i8, ptr %a\n  store volatile i8 %v, ptr %q\n";
  const std::string code = "  %r = getelementptr i8, ptr %p, i64 %wide\n" + bytes;
  expectNone(widened(code, {row(8)}), {"masked.load"});
  expectInOrder(widened(code, avx512), {"ptr %r, ptr %q", "@llvm.masked.load.v16i8.p0(",
                                        "ptr %q, ptr %r", "@llvm.masked.load.v16i8.p0("});
}

} // namespace
