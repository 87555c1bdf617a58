// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What threads append to a queue, put there together (aggregated_atomics.h).
#include "engine/compiler/simd/optimize/aggregated_atomics.h"

#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

struct Kept {
  Appends appends;
  std::string text, flush; // of the sweep, and of what it calls
};

// A kernel of %count, %queue and %in, pointers, and %other, a fourth one; %item is in[threadIdx.x].
Kept kept(const std::string &body) {
  Ir ir(declarations + R"(
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
@constant = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@variable = internal global i32 0
define void @f(ptr %gang, ptr %parameters, i32 %x0, i32 %y0, i32 %z0, i32 %lanes, i32 %state) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %x to i64
  %count = load ptr, ptr %parameters, !invariant.load !0, !align !1
  %p8 = getelementptr i8, ptr %parameters, i64 8
  %queue = load ptr, ptr %p8, !invariant.load !0, !align !1
  %p16 = getelementptr i8, ptr %parameters, i64 16
  %in = load ptr, ptr %p16, !invariant.load !0, !align !1
  %p24 = getelementptr i8, ptr %parameters, i64 24
  %other = load ptr, ptr %p24, !invariant.load !0, !align !1
  %place = getelementptr i32, ptr %in, i64 %w
  %item = load i32, ptr %place
)" + body +
        "  ret void\n}\n!0 = !{}\n!1 = !{i64 8}\n");
  widen(ir.function("f"), {.layout = {.lanes = 1}, .sweeps = true}, nullptr);
  Kept result;
  result.appends = aggregateAppends(ir.function("f"));
  ir.verify();
  result.text = ir.text("f");
  if (ir.module().getFunction("f.append"))
    result.flush = ir.text("f.append");
  return result;
}

const std::string add = "  %i = atomicrmw add ptr %count, i32 1 monotonic\n";
const std::string store = "  %iw = sext i32 %i to i64\n"
                          "  %to = getelementptr i32, ptr %queue, i64 %iw\n"
                          "  store i32 %item, ptr %to\n";

void expectNoneKept(const std::string &body) {
  const Kept result = kept(body);
  EXPECT_EQ(result.appends.appended, 0u) << body;
  EXPECT_NE(count(result.text, "atomicrmw "), 0u) << body;
  expectNone(result.text, {"kept"});
}

// Threads add up what they have; it goes to the queue if there is no more room, and at the end.
TEST(AggregatedAtomics, AreKeptUntilThereAreMany) {
  const Kept result = kept(add + store);
  EXPECT_EQ(result.appends.appended, 0b11u);
  EXPECT_EQ(result.appends.accessed, 0b100u);
  expectInOrder(result.text, {"%kept = alloca i32", "%items = alloca [256 x i32]",
                              field(offsetof(BlockContext, kept_appends)),
                              "getelementptr inbounds i32, ptr %items", "icmp uge i32",
                              "call void @f.append(", "store i32 0, ptr %kept",
                              "swept:", "icmp ne i32 %kept", "call void @f.append(", "ret i32 0"});
  expectNone(result.text, {"atomicrmw", "ptr %queue"});
  expectInOrder(result.flush, {"atomicrmw add ptr %0, i32 %1 monotonic", "add i32", "sext i32",
                               "store i32 %item"});
}

TEST(AggregatedAtomics, ByCountsOf64Bits) {
  const Kept result = kept("  %i = atomicrmw add ptr %count, i64 1 monotonic\n"
                           "  %to = getelementptr i32, ptr %queue, i64 %i\n"
                           "  store i32 %item, ptr %to\n");
  EXPECT_EQ(result.appends.appended, 0b11u);
  expectInOrder(result.flush, {"zext i32 %1 to i64", "atomicrmw add ptr %0, i64"});
}

// As the program makes an index of it: 3'000'000'000 is one, or is before the array.
TEST(AggregatedAtomics, WithoutSign) {
  const Kept result = kept(add + "  %iw = zext i32 %i to i64\n"
                                 "  %to = getelementptr i32, ptr %queue, i64 %iw\n"
                                 "  store i32 %item, ptr %to\n");
  EXPECT_EQ(result.appends.appended, 0b11u);
  expectInOrder(result.flush, {"zext i32 %place to i64"});
}

TEST(AggregatedAtomics, ToSeveralQueuesByOneCount) {
  const Kept result = kept(add + store +
                           "  %to2 = getelementptr i64, ptr %other, i64 %iw\n"
                           "  store i64 %w, ptr %to2\n");
  EXPECT_EQ(result.appends.appended, 0b1011u);
  EXPECT_EQ(count(result.text, "alloca [256 x i"), 2u);
  expectInOrder(result.flush, {"atomicrmw", "store i", "store i"});
}

TEST(AggregatedAtomics, AtSeveralPlacesToOneQueue) {
  const Kept result = kept(add + store + R"(
  %i2 = atomicrmw add ptr %count, i32 1 monotonic
  %iw2 = sext i32 %i2 to i64
  %to2 = getelementptr i32, ptr %queue, i64 %iw2
  store i32 %x, ptr %to2
)");
  EXPECT_EQ(result.appends.appended, 0b11u);
  EXPECT_EQ(count(result.text, "alloca [256 x i32]"), 1u);
  EXPECT_EQ(count(result.text, "call void @f.append("), 3u);
}

// The thread may look whether there is room, or say where it is.
TEST(AggregatedAtomics, NotIfThePlaceIsUsedOtherwise) {
  expectNoneKept(add + store + "  call void @out(i32 %i)\n");
  expectNoneKept(add + store + "  store i32 %i, ptr %other\n");
  expectNoneKept(add +
                 "  %full = icmp sgt i32 %i, 99\n  br i1 %full, label %end, label %more\n"
                 "more:\n" +
                 store + "  br label %end\nend:\n");
  expectNoneKept(add + "  %to = getelementptr [2 x i32], ptr %queue, i32 %i, i32 1\n"
                       "  store i32 %item, ptr %to\n");
  expectNoneKept(add); // a count without a queue
}

// A thread finds what it has put there itself.
TEST(AggregatedAtomics, NotIfTheKernelReadsTheQueue) {
  expectNoneKept(add + store + "  %r = load i32, ptr %queue\n  store i32 %r, ptr %other\n");
  expectNoneKept(add + store + "  %r = load i32, ptr %count\n  store i32 %r, ptr %other\n");
  expectNoneKept(add + store +
                 "  call void @llvm.memcpy.p0.p0.i64(ptr %other, ptr %queue, i64 8, "
                 "i1 false)\n");
}

// By that others learn that it is there.
TEST(AggregatedAtomics, NotIfOrderMatters) {
  expectNoneKept(add + store + "  fence seq_cst\n");
  expectNoneKept(add + store + "  store atomic i32 1, ptr %other release, align 4\n");
  expectNoneKept(add + store + "  store volatile i32 1, ptr %other\n");
  expectNoneKept("  %i = atomicrmw add ptr %count, i32 1 acq_rel\n" + store);
  expectNoneKept(add + store + "  call void @out(i32 %x)\n");
  const std::string relaxed = "  store atomic i32 1, ptr %other monotonic, align 4\n";
  EXPECT_EQ(kept(add + store + relaxed).appends.accessed, 0b1100u);
}

// Where other accesses go to has to be known.
TEST(AggregatedAtomics, NotBesidePointersFromMemory) {
  expectNoneKept(add + store + "  %list = load ptr, ptr %other\n  store i32 1, ptr %list\n");
  expectNoneKept(add + store + "  store i32 1, ptr @variable\n");
  const std::string constant = "  %c = load i32, ptr @constant\n  store i32 %c, ptr %other\n";
  EXPECT_EQ(kept(add + store + constant).appends.accessed, 0b1100u);
}

TEST(AggregatedAtomics, OfOneItemAtATime) {
  expectNoneKept("  %i = atomicrmw add ptr %count, i32 2 monotonic\n" + store);
  expectNoneKept("  %i = atomicrmw sub ptr %count, i32 1 monotonic\n" + store);
}

} // namespace
