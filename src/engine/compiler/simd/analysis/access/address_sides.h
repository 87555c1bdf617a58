// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses that are a choice between affine ones: `x > 0 ? x - 1 : width - 1` is x - 1 in most
// lanes and width - 1 in one.
//
// No linear form (linear_form.h), since a choice is no sum.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace heddle::engine::simd {

/// An affine alternative.
struct Side {
  int64_t stride = 0;           // from lane to lane; of addresses in bytes
  std::optional<int64_t> first; // the first lane's value, if it is a constant; of integers only
};
using Sides = llvm::SmallVector<Side, 4>;

/// The alternatives of a pointer, in the order of the operands of selects, minima and maxima;
/// nothing if they are not known or more than four.
std::optional<Sides> sidesOfAddress(llvm::Value &pointer, const Shapes &shapes,
                                    const llvm::DataLayout &data);

/// Whether the integer has the first lane's value as its only side. Otherwise its sides are those
/// of its operands.
bool isOneSide(const llvm::Value &integer, bool is_signed, const Shapes &shapes);

/// The opcode of a sum; a disjoint `or` is an addition.
unsigned opcodeOfSum(const llvm::BinaryOperator &operation);

} // namespace heddle::engine::simd
