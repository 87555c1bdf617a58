// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heddle's __half and __nv_bfloat16 give a GPU's bits: see small_float_digests.h.
#include "small_float_digests.h"
#include "small_float_expected.h"

#include <gtest/gtest.h>

namespace {

TEST(SmallFloatGpu, sameBitsAsAGpu) {
  constexpr int count = sizeof expected / sizeof *expected;
  int index = 0;
#define F(text, T, function)                                                                       \
  ASSERT_LT(index, count);                                                                         \
  ASSERT_STREQ(expected[index].name, text);                                                        \
  EXPECT_EQ(expected[index].digest, digests::digest<T>(digests::function())) << text;              \
  ++index;
  ALL_FUNCTIONS
#undef F
  EXPECT_EQ(index, count);
}

} // namespace
