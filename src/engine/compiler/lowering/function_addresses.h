// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives a device function one address in all that is compiled of an image.
//
// Each compiled file has its own copy of the functions that its kernels call through pointers. But
// a program may take a function's address in one kernel and compare it in another. So addresses are
// those of a symbol that the image's files share: the dynamic linker resolves it to the copy in the
// file that was loaded first.
#pragma once

#include "module/image.h"

#include "llvm/IR/Module.h"

namespace heddle::engine {

/// After all lowering: what takes a context and is not ours (`heddle.`) is a device function.
void shareFunctionAddresses(llvm::Module &module, const Image &image);

} // namespace heddle::engine
