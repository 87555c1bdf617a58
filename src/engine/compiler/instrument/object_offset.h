// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets of pointers in an object.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace heddle::engine {

/// How far into the object that begins at `base` the pointer points, in bytes; null if it did not
/// come from there by offsets alone.
llvm::Value *offsetIn(llvm::IRBuilder<> &builder, llvm::Value *pointer, const llvm::Value *base,
                      const llvm::DataLayout &data);

} // namespace heddle::engine
