// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits the alignment that C++ types promise. An object of a type with alignas(32) must lie at a
// multiple of 32 bytes, but no access of a GPU is wider than 16 bytes or needs more alignment (PTX
// ISA, "Vectors"), so programs that violate the promise run there: CUB builds such objects in
// arrays of 16-byte words.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle {

/// Reduces the alignment of accesses and pointers to objects to at most 16 bytes. Variables keep
/// theirs.
void limitPromisedAlignment(llvm::Module &module);

} // namespace heddle
