// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles of 64 bits (shuffled_halves.h).
#include "engine/compiler/simd/post/shuffled_halves.h"
#include "ir.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;

namespace {

const std::string halves = "<i64 32, i64 32, i64 32, i64 32>";

std::string joined(const std::string &low_of, const std::string &low_lanes,
                   const std::string &shift = halves) {
  Ir ir("define <4 x i64> @f(<4 x i64> %x, <4 x i64> %y) {\n"
        "  %low = trunc <4 x i64> " +
        low_of +
        " to <4 x i32>\n"
        "  %up = lshr <4 x i64> %x, " +
        shift +
        "\n"
        "  %high = trunc <4 x i64> %up to <4 x i32>\n"
        "  %a = shufflevector <4 x i32> %low, <4 x i32> poison, <4 x i32> " +
        low_lanes +
        "\n"
        "  %b = shufflevector <4 x i32> %high, <4 x i32> poison,"
        " <4 x i32> <i32 2, i32 3, i32 2, i32 3>\n"
        "  %c = zext <4 x i32> %a to <4 x i64>\n"
        "  %d = zext <4 x i32> %b to <4 x i64>\n"
        "  %e = shl <4 x i64> %d, " +
        halves +
        "\n"
        "  %r = or <4 x i64> %c, %e\n"
        "  ret <4 x i64> %r\n}\n");
  joinShuffledHalves(ir.function("f"));
  ir.verify();
  return ir.text("f");
}

TEST(ShuffledHalves, AreOneShuffle) {
  const std::string text = joined("%x", "<i32 2, i32 3, i32 2, i32 3>");
  expectInOrder(text, {"shufflevector <4 x i64> %x, <4 x i64> poison,"
                       " <4 x i32> <i32 2, i32 3, i32 2, i32 3>",
                       "ret"});
  EXPECT_EQ(count(text, "i32>"), 1u) << text; // nothing is left of the halves
}

// Halves of other elements, of other vectors, or other bits.
TEST(ShuffledHalves, OnlyIfTheyBelongTogether) {
  EXPECT_EQ(count(joined("%x", "<i32 2, i32 3, i32 2, i32 1>"), "<4 x i64> poison"), 0u);
  EXPECT_EQ(count(joined("%y", "<i32 2, i32 3, i32 2, i32 3>"), "<4 x i64> poison"), 0u);
  EXPECT_EQ(count(joined("%x", "<i32 2, i32 3, i32 2, i32 3>", "<i64 16, i64 16, i64 16, i64 16>"),
                  "<4 x i64> poison"),
            0u);
}

} // namespace
