// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives each device function one address across all files that are compiled from an image.
//
// Each compiled file has its own copy of the functions that its kernels call through pointers. A
// program may take a function's address in one kernel and compare it in another, so addresses refer
// to a symbol that the image's files share: the dynamic linker resolves it to the copy in the file
// that was loaded first.
#pragma once

#include "module/image/image.h"

#include "llvm/IR/Module.h"

namespace heddle::engine {

/// Runs after all lowering. Device functions are those that take a context and whose name does not
/// start with `heddle.`.
void shareFunctionAddresses(llvm::Module &module, const Image &image);

} // namespace heddle::engine
