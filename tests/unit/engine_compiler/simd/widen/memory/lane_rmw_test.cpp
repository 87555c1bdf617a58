// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of shared memory that lanes change (widen.h, lane_rmw.cpp): lane by lane, if all
// are here. Gangs here are eight lanes.
#include "simd/widened.h"

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

const std::string element = "  %s = addrspacecast ptr %p to ptr addrspace(3)\n"
                            "  %t = addrspacecast ptr %q to ptr addrspace(3)\n"
                            "  %i = zext i32 %u to i64\n"
                            "  %a = getelementptr i32, ptr addrspace(3) %s, i64 %i\n";
const std::string increment = "  %old = load i32, ptr addrspace(3) %a, align 4\n"
                              "  %new = add i32 %old, 1\n"
                              "  store i32 %new, ptr addrspace(3) %a, align 4\n";
const std::string element_again = "  %e2 = getelementptr i32, ptr %e, i64 4096\n"
                                  "  %u2 = load i32, ptr %e2, align 4\n"
                                  "  %i2 = zext i32 %u2 to i64\n"
                                  "  %a2 = getelementptr i32, ptr addrspace(3) %s, i64 %i2\n";
const std::string increment_again = "  %old2 = load i32, ptr addrspace(3) %a2, align 4\n"
                                    "  %new2 = add i32 %old2, 1\n"
                                    "  store i32 %new2, ptr addrspace(3) %a2, align 4\n";
const WidenOptions avx512{.layout = row(8), .native_gather = true};

// The second lane loads when the first has stored.
TEST(LaneRmw, LaneAfterLane) {
  for (const WidenOptions &options : {WidenOptions{.layout = row(8)}, avx512}) {
    const std::string text = widened(element + increment, options);
    expectInOrder(text, {"load i32, ptr addrspace(3)", "add i32", "store i32",
                         "load i32, ptr addrspace(3)", "add i32", "store i32"});
    EXPECT_EQ(count(text, "load i32"), 8u);
    EXPECT_EQ(count(text, "store i32"), 8u);
    expectNone(text, {"gather", "scatter", "insertelement"});
  }
}

// Where there are many, the CPU should know early where each lane's element is.
TEST(LaneRmw, OfManyLanesAtPlacesTakenFromMemory) {
  const std::string text = widened(element + increment + element_again + increment_again,
                                   {.layout = row(32), .native_gather = true});
  expectInOrder(text, {"store <32 x i32> %u, ptr %elements,", "load volatile i32, ptr %",
                       "load i32, ptr addrspace(3)", "load volatile i32, ptr %",
                       "store <32 x i32> %u2, ptr %elements,", "load volatile i32, ptr %"});
  EXPECT_EQ(count(text, "load volatile i32"), 64u);
  expectNone(text, {"extractelement"});
}

// Each path of the first one loads for itself, so the second one loads again. (The text is
// verified.)
TEST(LaneRmw, OfMembersOfAStructure) {
  const std::string text = widened(masked +
                                       "  %s = addrspacecast ptr %p to ptr addrspace(3)\n"
                                       "  %i = zext i32 %u to i64\n  %m = mul i64 %i, 8\n"
                                       "  %a = getelementptr i8, ptr addrspace(3) %s, i64 %m\n"
                                       "  %a2 = getelementptr i8, ptr addrspace(3) %a, i64 4\n" +
                                       increment + increment_again,
                                   avx512);
  expectInOrder(text, {"label %all", "label %some"});
}

// What is stored elsewhere because of it, too.
TEST(LaneRmw, WithWhatFollows) {
  const std::string text = widened(element + increment +
                                       "  %j = zext i32 %old to i64\n"
                                       "  %b = getelementptr i32, ptr addrspace(3) %t, i64 %j\n"
                                       "  store i32 %u, ptr addrspace(3) %b, align 4\n",
                                   avx512);
  expectInOrder(text, {"load i32", "store i32 %", "store i32 %", "load i32"});
  EXPECT_EQ(count(text, "store i32"), 16u);
  expectNone(text, {"gather", "scatter", "insertelement"});
}

TEST(LaneRmw, UnderAMaskOnlyIfAllAreHere) {
  const std::string text = widened(element + masked + increment, avx512);
  expectInOrder(text, {"br i1 %all.here", "load i32", "store i32", "br label",
                       "@llvm.masked.gather", "@llvm.masked.scatter", "<8 x i1> %c"});
  EXPECT_EQ(count(text, "load i32"), 8u);
}

// Lanes go on together where others could notice the order, or want the vector.
TEST(LaneRmw, NotIfSomethingElseDependsOnIt) {
  const std::string to_global = element + "  %old = load i32, ptr addrspace(3) %a\n"
                                          "  %new = add i32 %old, 1\n";
  const std::string end = "  store i32 %new, ptr addrspace(3) %a\n";
  for (const std::string &body :
       {to_global + "  store volatile i32 7, ptr %p\n" + end,    // another store between
        to_global + "  %w = load volatile i32, ptr %p\n" + end,  // another load
        to_global + end + "  store i32 %old, ptr %e, align 4\n", // the old value
        element + "  %old = load volatile i32, ptr addrspace(3) %a\n  %new = add i32 %old, 1\n" +
            end,
        to_global + "  store i32 %new, ptr addrspace(3) %s\n"}) // it is not written back
    expectInOrder(widened(body, avx512), {"<8 x i32>", "add <8 x i32>"});
}

// In global memory lanes often are neighbours after all.
TEST(LaneRmw, OfSharedMemoryOnly) {
  const std::string text = widened("  %i = zext i32 %u to i64\n"
                                   "  %a = getelementptr i32, ptr %p, i64 %i\n"
                                   "  %old = load i32, ptr %a\n  %new = add i32 %old, 1\n"
                                   "  store i32 %new, ptr %a\n",
                                   avx512);
  expectInOrder(text, {"masked.gather", "add <8 x i32>", "masked.scatter"});
}

} // namespace
