// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By how much values grow between two executions of the same code: from one iteration of a loop to
// the next, or from one block to a later one.
//
// The growth is computed by scalar code that LLVM can hoist out of loops. Only prefetches depend on
// it, so it may be wrong in rare cases. (LLVM's ScalarEvolution is always right, and hence gives no
// answer for 32-bit indices that may wrap.)
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <functional>
#include <optional>

namespace heddle::engine::simd {

class Growth {
public:
  /// The growth of a value if it does not follow from that of its operands: null if unknown;
  /// nothing if it does follow from them.
  using Known = std::function<std::optional<llvm::Value *>(Growth &, llvm::Value &)>;

  /// Inserts code at the builder's insertion point.
  Growth(llvm::IRBuilder<> &builder, const llvm::DataLayout &data, Known known)
      : b_(builder), data_(data), known_(std::move(known)) {}

  /// The growth as an i64, in bytes for pointers. Null if it is unknown or takes too much code.
  llvm::Value *of(llvm::Value *value);

private:
  llvm::Value *compute(llvm::Instruction &instruction);
  llvm::Value *sum(llvm::BinaryOperator &operation);
  llvm::Value *product(llvm::BinaryOperator &operation);

  llvm::IRBuilder<> &b_;
  const llvm::DataLayout &data_;
  const Known known_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> found_;
};

} // namespace heddle::engine::simd
