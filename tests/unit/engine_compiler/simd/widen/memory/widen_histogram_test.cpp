// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histograms of few kinds in shared memory (widen.h, widen_histogram.cpp). That the counts are
// right is shown by tests/conformance, "histogram_of_few_kinds".
#include "simd/widened.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

const WidenOptions avx512{.layout = row(32), .native_gather = true};

struct Histogram {
  std::string low_bits = "15", space = "addrspace(3)", before{}, value = "1", behind{};
  std::string operation = "add", type = "i32";
  WidenOptions options = avx512;
};

std::string counted(const Histogram &histogram) {
  return widened("  %low = and i32 %u, " + histogram.low_bits +
                     "\n  %i = zext i32 %low to i64\n  %s = addrspacecast ptr %p to ptr " +
                     histogram.space + "\n  %a = getelementptr " + histogram.type + ", ptr " +
                     histogram.space + " %s, i64 %i\n" + histogram.before + "  %old = atomicrmw " +
                     histogram.operation + " ptr " + histogram.space + " %a, " + histogram.type +
                     " " + histogram.value + " monotonic, align 4\n" + histogram.behind,
                 histogram.options);
}

// Each lane's number has a 1 in one of sixteen counters.
constexpr const char *shifted = "shl <32 x i64> <i64 1, i64 1,";

// Eight lanes at a time, then in bytes, then as numbers of 32 bits, as they are in memory.
TEST(WidenHistogram, OfSixteenKinds) {
  const std::string text = counted({});
  expectInOrder(text, {"and i64 %",
                       ", 4095",
                       "icmp ule i64 %",
                       ", 4032",
                       "br i1",
                       "zext <32 x i32>",
                       "to <32 x i64>",
                       shifted,
                       "add <8 x i64>",
                       "add <8 x i64>",
                       "add <8 x i64>",
                       "and <8 x i64>",
                       "lshr <8 x i64>",
                       "@llvm.vector.reduce.add.v8i64",
                       "@llvm.vector.reduce.add.v8i64",
                       "to <16 x i8>",
                       "<16 x i32> <i32 0, i32 8, i32 1, i32 9",
                       "zext <16 x i8>",
                       "load <16 x i32>",
                       "add <16 x i32>",
                       "store <16 x i32>"});
  EXPECT_EQ(count(text, "store <16 x i32>"), 1u);
}

// The page that ends within the counters is changed lane by lane.
TEST(WidenHistogram, NotBeyondThePage) {
  const std::string text = counted({});
  EXPECT_EQ(count(text, "store i32 "), 32u);
}

TEST(WidenHistogram, OfLanesThatAreHere) {
  expectInOrder(counted({.before = masked}),
                {shifted, "select <32 x i1>", "<32 x i64> zeroinitializer", "add <8 x i64>"});
}

TEST(WidenHistogram, OfOtherValues) {
  expectInOrder(counted({.value = "%n"}), {shifted, "mul <16 x i32>", "add <16 x i32>"});
  expectInOrder(counted({.operation = "sub"}), {shifted, "sub <16 x i32>"});
}

// A counter of four bits can count eight registers of lanes, one of eight bits 128 of them.
TEST(WidenHistogram, OfWideGangs) {
  WidenOptions wide = avx512;
  wide.layout = row(64);
  EXPECT_EQ(count(counted({.options = wide}), "add <8 x i64>"), 7u);
  wide.layout = row(128);
  const std::string text = counted({.options = wide});
  EXPECT_EQ(count(text, "add <8 x i64>"), 7u + 7u + 2u);
  EXPECT_EQ(count(text, "call i64 @llvm.vector.reduce.add.v8i64"), 2u);
  wide.layout = row(256);
  const std::string widest = counted({.options = wide});
  EXPECT_EQ(count(widest, "add <8 x i64>"), 2 * (7u + 7u + 2u));
  EXPECT_EQ(count(widest, "call i64 @llvm.vector.reduce.add.v8i64"), 4u);
  expectInOrder(widest, {"zext <16 x i8>", "zext <16 x i8>", "add <16 x i32>", "load <16 x i32>"});
}

// Everything else is done lane by lane.
TEST(WidenHistogram, LaneByLane) {
  const std::string use = "  store volatile i32 %old, ptr %e, align 4\n";
  WidenOptions avx2 = avx512, narrow = avx512;
  avx2.native_gather = false;
  narrow.layout = row(8);
  for (const Histogram &histogram :
       {Histogram{.low_bits = "31"}, Histogram{.space = "addrspace(1)"}, Histogram{.value = "%u"},
        Histogram{.behind = use}, Histogram{.operation = "or"}, Histogram{.type = "i64"},
        Histogram{.options = avx2}, Histogram{.options = narrow}}) {
    const std::string text = counted(histogram);
    expectNone(text, {"x i64> <i64 1, i64 1,", "vector.reduce.add.v8i64"});
  }
}

} // namespace
