// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value as a sum of terms: `a[i * width + j + 1]` is a + 4 * width * i + 4 * j + 4.
//
// It answers what one asks about addresses: two with the same terms differ by a constant
// (access_distance.h, widen/memory/widen_prefetch.h); the coefficient of threadIdx.x is the
// distance between the lanes of a row, that of threadIdx.y between rows (strided_2d_access.h); and
// the low bits of the sum follow from those of its terms (alignment_analysis.h).
//
// Sums in a narrow type may wrap before they are extended. So the form has the low `bits` of the
// value only; where it is taken for the value, the answer is an estimate.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Value.h"

namespace heddle::engine::simd {

/// value = constant + the sum of coefficient * factors * term, modulo 2^bits.
struct LinearForm {
  struct Term {
    const llvm::Value *value = nullptr;
    llvm::SmallVector<const llvm::Value *, 2> factors; // sorted, without constants
    uint64_t coefficient = 0;

    bool operator==(const Term &) const = default;
  };
  llvm::SmallVector<Term> terms; // sorted by value and factors; no coefficient is 0
  uint64_t constant = 0;
  unsigned bits = 64;

  bool operator==(const LinearForm &) const = default;
};

/// The form of an integer or pointer (in bytes); a value that is no sum is one term. Products are
/// distributed over values of which `is_factor` holds, as over constants.
LinearForm linearForm(const llvm::Value &value, const llvm::DataLayout &data,
                      llvm::function_ref<bool(const llvm::Value &)> is_factor);
LinearForm linearForm(const llvm::Value &value, const llvm::DataLayout &data);

LinearForm operator-(const LinearForm &left, const LinearForm &right);

/// Whether the sum or product is defined not to wrap (nsw or nuw), as signed or unsigned numbers.
bool cannotWrap(const llvm::Instruction &instruction, bool is_signed);

} // namespace heddle::engine::simd
