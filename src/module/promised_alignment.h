// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ promises that an object of a type with alignas(32) lies at a multiple of 32 bytes. No access
// of a GPU is wider than 16 bytes or asks for more alignment than that (PTX ISA, "Vectors"), so a
// program that breaks the promise runs there: CUB builds such objects in arrays of 16-byte words.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle {

/// Lowers what accesses and pointers to objects promise to 16 bytes. Variables keep their
/// alignment.
void limitPromisedAlignment(llvm::Module &module);

} // namespace heddle
