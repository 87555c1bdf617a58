// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tensor cores compute: products of small matrices, spread over the registers of a warp.
//
// Sums of 16-bit numbers and tf32 are formed as an H200 was measured to: c and all products of the
// instruction, exact, are cut off two bits below the last bit of the one with the largest exponent
// (of a product: the sum of its factors' exponents), then added, and the sum is cut off to a float,
// or rounded to a half. A sum of doubles goes through the products in ascending order, each added
// with a single rounding to nearest, as on an H200; a sum of 8-bit floats does so here, too, where
// hardware keeps fewer bits.
#pragma once

#include "module/matrix_operation.h"

namespace heddle::engine {

/// Each holds word after word of 32 lanes. `d` may be `c`, if they have the same type.
struct MatrixRegisters {
  const uint32_t *a, *b, *c;
  uint32_t *d;
};

void multiplyMatrices(const MatrixOperation &operation, const MatrixRegisters &registers);

/// `words`: the operation's inputs, then room for its result.
inline MatrixRegisters registersIn(uint32_t *words, const MatrixOperation &operation) {
  constexpr uint32_t lanes = 32;
  uint32_t *b = words + operation.wordsOfA() * lanes, *c = b + operation.wordsOfB() * lanes;
  return {words, b, c, c + operation.wordsOfC() * lanes};
}

} // namespace heddle::engine
