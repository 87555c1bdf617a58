// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An address as a sum of terms, so that two addresses can be compared: `a[i - 1]` and `a[i + 1]`
// have the same terms and differ by a constant. Extensions are ignored, so the result is good for
// estimates only.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Value.h"

namespace heddle::engine::simd {

struct AddressSum {
  using Term = std::pair<llvm::Value *, uint64_t>; // value and factor, in bytes
  llvm::SmallVector<Term> terms;                   // sorted; none has the factor 0
  uint64_t constant = 0;                           // modulo 2^64, as are the factors

  bool operator==(const AddressSum &) const = default;
};

AddressSum addressSum(llvm::Value *pointer, const llvm::DataLayout &data);

AddressSum difference(const AddressSum &left, const AddressSum &right);

} // namespace heddle::engine::simd
