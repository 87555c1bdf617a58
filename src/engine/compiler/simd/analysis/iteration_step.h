// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By how much values grow from one time that code runs to a later one: from a round of a loop to
// the next, from a block to a later one.
//
// It is computed beside the value, in scalars that LLVM moves out of loops. It only has to be right
// as a rule, because nothing but a hint to the caches depends on it. (LLVM's ScalarEvolution is
// always right, and so says nothing of indices that may wrap in 32 bits.)
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <functional>
#include <optional>

namespace heddle::engine::simd {

class Growth {
public:
  /// What is known of a value by itself: its growth (null: unknown), or nothing, if it follows
  /// from that of its operands.
  using Known = std::function<std::optional<llvm::Value *>(Growth &, llvm::Value &)>;

  /// New code is inserted where `builder` is.
  Growth(llvm::IRBuilder<> &builder, const llvm::DataLayout &data, Known known)
      : b_(builder), data_(data), known_(std::move(known)) {}

  /// As an i64, of pointers in bytes. Null if that is not known, or too much code.
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
