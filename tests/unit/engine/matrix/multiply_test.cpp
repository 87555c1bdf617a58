// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices in a warp's registers: how operations are written as numbers, how sums are
// rounded, NaNs, and sums that leave 32 bits.
#include "engine/matrix/multiply.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace heddle;
using namespace heddle::engine;

namespace {

constexpr uint32_t lanes = 32;

// All registers the same: those of a, of b and of c. The first word of the result.
uint32_t product(const MatrixOperation &operation, uint32_t a, uint32_t b, uint32_t c) {
  std::vector<uint32_t> words((operation.inputWords() + operation.wordsOfD()) * lanes, c);
  const uint32_t of_a = operation.wordsOfA() * lanes, of_b = operation.wordsOfB() * lanes;
  std::fill_n(words.begin(), of_a, a);
  std::fill_n(words.begin() + of_a, of_b, b);
  multiplyMatrices(operation, registersIn(words.data(), operation));
  return words[operation.inputWords() * lanes];
}

uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }

TEST(Matrix, OperationsAreNumbers) {
  for (uint32_t element = 0; element <= uint32_t(MatrixElement::S32); ++element)
    for (uint32_t rows : {8u, 16u})
      for (uint32_t depth = 4; depth <= 256; depth *= 2)
        for (uint32_t flags = 0; flags < 32; ++flags) {
          MatrixOperation operation;
          operation.a = operation.d = MatrixElement(element);
          operation.b = MatrixElement((element + 1) % 13);
          operation.rows = rows;
          operation.depth = depth;
          operation.saturate = flags & 1;
          operation.uses_and = flags & 2;
          operation.quads = flags & 4;
          operation.a_by_columns = flags & 8;
          operation.b_by_rows = flags & 16;
          const MatrixOperation again = MatrixOperation::decode(operation.encode());
          EXPECT_EQ(again.encode(), operation.encode());
          EXPECT_EQ(again.depth, depth);
          EXPECT_EQ(again.rows, rows);
          EXPECT_EQ(uint32_t(again.a), element);
          EXPECT_EQ(again.b_by_rows, operation.b_by_rows);
        }
}

TEST(Matrix, RegistersAreAsManyAsThePtxIsaSays) {
  MatrixOperation operation; // m16n8k16 of f16
  EXPECT_EQ(operation.wordsOfA(), 4u);
  EXPECT_EQ(operation.wordsOfB(), 2u);
  EXPECT_EQ(operation.wordsOfC(), 4u);
  operation.d = MatrixElement::F16;
  EXPECT_EQ(operation.wordsOfD(), 2u);
  operation = {.a = MatrixElement::F64,
               .b = MatrixElement::F64,
               .c = MatrixElement::F64,
               .d = MatrixElement::F64,
               .rows = 8,
               .depth = 4};
  EXPECT_EQ(operation.wordsOfA(), 2u);
  EXPECT_EQ(operation.wordsOfD(), 4u);
}

// As an H200 was seen to.
TEST(Matrix, AddendsAreCutOffAndAddedAtOnce) {
  const MatrixOperation operation{
      .a = MatrixElement::TF32, .b = MatrixElement::TF32, .rows = 16, .depth = 4};
  EXPECT_EQ(product(operation, bits(1.0f), bits(1.0f), bits(0x1p24f)), bits(0x1p24f + 4));
  // Two bits below the last one of the largest are kept, four times 3/4 of a last bit make 3 …
  EXPECT_EQ(product(operation, bits(1.5f), bits(1.0f), bits(0x1p24f)), bits(0x1p24f + 6));
  EXPECT_EQ(product(operation, bits(1.0f), bits(0.25f), bits(0x1p24f)), bits(0x1p24f));
  // … and the result is cut off, also where it is too large.
  EXPECT_EQ(product(operation, bits(-1.0f), bits(0x1p-3f), bits(1.0f)), bits(0.5f));
  EXPECT_EQ(product(operation, bits(0x1p100f), bits(0x1p30f), 0), 0x7f7fffffu);
  EXPECT_EQ(product(operation, 0, 0, bits(-0.0f)), 0u);
  // The lower 13 bits of a factor are not looked at.
  EXPECT_EQ(product(operation, bits(1.0f) | 0x1fff, bits(1.0f), 0), bits(4.0f));
}

TEST(Matrix, NaNHasOneForm) {
  MatrixOperation operation;
  const uint32_t infinities = 0x7c007c00, zeros = 0, ones = 0x3c003c00;
  EXPECT_EQ(product(operation, infinities, zeros, 0), 0x7fffffffu);
  EXPECT_EQ(product(operation, infinities, ones, 0), 0x7f800000u);
  operation.c = operation.d = MatrixElement::F16;
  EXPECT_EQ(product(operation, infinities, zeros, 0), 0x7fff7fffu);
}

TEST(Matrix, IntegersWrapOrStay) {
  MatrixOperation operation{.a = MatrixElement::U8,
                            .b = MatrixElement::S8,
                            .c = MatrixElement::S32,
                            .d = MatrixElement::S32,
                            .rows = 16,
                            .depth = 32};
  const uint32_t most = 0xffffffff, minus_one = 0xffffffff; // 255 and -1
  EXPECT_EQ(product(operation, most, minus_one, 0), uint32_t(-255 * 32));
  EXPECT_EQ(product(operation, most, minus_one, 0x80000000), 0x80000000 - 255 * 32);
  operation.saturate = true;
  EXPECT_EQ(product(operation, most, minus_one, 0x80000000), 0x80000000);
}

} // namespace
