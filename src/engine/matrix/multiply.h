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

/// `registers` holds word after word of 32 lanes: the operation's inputs, then room for its result.
void multiplyMatrices(const MatrixOperation &operation, uint32_t *registers);

} // namespace heddle::engine
