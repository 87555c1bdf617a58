// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What threads count in global memory, counted in tables of the workers
// (histogram_privatization.h).
#include "engine/compiler/simd/optimize/histogram_privatization.h"

#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

struct Kept {
  Counts counts;
  std::string text;
};

// A kernel of four pointers: %array, %keys, %other and %last; %place is array[keys[threadIdx.x]].
Kept kept(const std::string &body) {
  Ir ir(declarations + R"(
declare void @llvm.nvvm.membar.gl()
declare void @unknown()
@variable = internal addrspace(1) global i32 0
define void @f(ptr %gang, ptr %parameters, i32 %x0, i32 %y0, i32 %z0, i32 %lanes, i32 %state) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %x to i64
  %array = load ptr, ptr %parameters, !invariant.load !0
  %p8 = getelementptr i8, ptr %parameters, i64 8
  %keys = load ptr, ptr %p8, !invariant.load !0
  %p16 = getelementptr i8, ptr %parameters, i64 16
  %other = load ptr, ptr %p16, !invariant.load !0
  %p24 = getelementptr i8, ptr %parameters, i64 24
  %last = load ptr, ptr %p24, !invariant.load !0
  %k = getelementptr i32, ptr %keys, i64 %w
  %key = load i32, ptr %k
  %wide = zext i32 %key to i64
  %place = getelementptr i32, ptr %array, i64 %wide
)" + body +
        "  ret void\n}\n!0 = !{}\n");
  Kept result;
  result.counts = privatizeHistograms(ir.function("f"));
  ir.verify();
  result.text = ir.text("f");
  return result;
}

const std::string add = "  %o = atomicrmw add ptr %place, i32 1 monotonic\n";

std::string inTable(const std::string &operation) {
  return "atomicrmw " + operation + " ptr addrspace(3) %count";
}

void expectNoneKept(const std::string &body) {
  const Kept result = kept(body);
  EXPECT_EQ(result.counts.counted, 0u) << body;
  expectNone(result.text, {"%inside", "%table"});
}

TEST(HistogramPrivatization, InATableIfItIsLargeEnough) {
  const Kept result = kept(add);
  EXPECT_EQ(result.counts.counted, 0b1u);
  EXPECT_EQ(result.counts.wide_counted, 0u);
  EXPECT_EQ(result.counts.uncounted, 0b10u);
  expectInOrder(
      result.text,
      {"mul", "i64 %wide, 4",
       "i64 " + std::to_string(offsetof(BlockContext, counts) + offsetof(KeptCounts, bytes)),
       "i64 " + std::to_string(offsetof(BlockContext, counts) + offsetof(KeptCounts, table)),
       "%inside = icmp ult i64", "br i1 %inside", inTable("add") + ", i32 1 monotonic",
       "atomicrmw add ptr %place, i32 1 monotonic"});
}

TEST(HistogramPrivatization, OfSeveralArrays) {
  const Kept result = kept(add + "  %q = getelementptr i64, ptr %last, i64 %w\n"
                                 "  %o2 = atomicrmw sub ptr %q, i64 %wide monotonic\n"
                                 "  %o3 = atomicrmw sub ptr %array, i32 %key monotonic\n");
  EXPECT_EQ(result.counts.counted, 0b1001u);
  EXPECT_EQ(result.counts.wide_counted, 0b1000u);
  EXPECT_EQ(result.counts.uncounted, 0b10u);
  expectInOrder(result.text,
                {inTable("add"),
                 "i64 " + std::to_string(offsetof(BlockContext, counts) + sizeof(KeptCounts) +
                                         offsetof(KeptCounts, bytes)),
                 inTable("sub"), inTable("sub")});
}

// Structures among the parameters do not change, though loads of their members do not say so.
TEST(HistogramPrivatization, WherePointersAreMembersOfStructures) {
  const Kept result = kept("  %member = load ptr, ptr %p16\n"
                           "  %q = getelementptr i32, ptr %member, i64 %wide\n"
                           "  %o = atomicrmw add ptr %q, i32 1 monotonic\n");
  EXPECT_EQ(result.counts.counted, 0b100u);
  EXPECT_EQ(result.counts.uncounted, 0b10u);
}

TEST(HistogramPrivatization, WhereThreadsMeetToo) {
  EXPECT_EQ(kept("  call void @llvm.nvvm.barrier0()\n" + add).counts.counted, 0b1u);
}

TEST(HistogramPrivatization, NotIfCountsAreObserved) {
  expectNoneKept(add + "  %l = load i32, ptr %array\n");
  expectNoneKept(add + "  store i32 1, ptr %array\n");
  expectNoneKept("  %found = atomicrmw add ptr %place, i32 1 monotonic\n"
                 "  store i32 %found, ptr %k\n");
  expectNoneKept(add + "  %m = atomicrmw max ptr %place, i32 1 monotonic\n");
  expectNoneKept(add + "  %c = icmp eq i32 %x, 0\n  %one = select i1 %c, ptr %array, ptr %other\n"
                       "  %l = load i32, ptr %one\n");
  expectNoneKept(add + "  %n = atomicrmw add ptr %array, i64 1 monotonic\n"); // as both
}

TEST(HistogramPrivatization, NotIfThereMayBeAnOrder) {
  expectNoneKept("  %o = atomicrmw add ptr %place, i32 1 seq_cst\n");
  expectNoneKept(add + "  fence seq_cst\n");
  expectNoneKept(add + "  call void @llvm.nvvm.membar.gl()\n");
  expectNoneKept(add + "  call void @unknown()\n");
  expectNoneKept(
      "  br label %again\nagain:\n  %v = load atomic i32, ptr %other monotonic, align 4\n"
      "  %set = icmp ne i32 %v, 0\n  br i1 %set, label %go, label %again\ngo:\n" +
      add);
}

TEST(HistogramPrivatization, NotWhatIsNoSumOfWholeNumbers) {
  expectNoneKept("  %o = atomicrmw fadd ptr %place, float 1.0 monotonic\n");
  expectNoneKept("  %o = atomicrmw xchg ptr %place, i32 1 monotonic\n");
  expectNoneKept("  %o = atomicrmw xor ptr %place, i32 1 monotonic\n");
  expectNoneKept("  %o = atomicrmw add ptr %place, i16 1 monotonic\n");
  expectNoneKept("  %o = atomicrmw volatile add ptr %place, i32 1 monotonic\n");
}

TEST(HistogramPrivatization, NotIfItMayBeElsewhere) {
  expectNoneKept("  %c = icmp eq i32 %x, 0\n  %one = select i1 %c, ptr %array, ptr %other\n"
                 "  %o = atomicrmw add ptr %one, i32 1 monotonic\n");
  expectNoneKept("  %o = atomicrmw add ptr addrspace(1) @variable, i32 1 monotonic\n");
  expectNoneKept(add + "  store i32 1, ptr addrspace(1) @variable\n");
}

} // namespace
