// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host pass does not read the bodies of kernels and device functions.
//
// Host code has a stub for each kernel, whatever the kernel does; the device pass has compiled the
// bodies, and has said what is wrong with them. Clang would instantiate every template that they
// use a second time: half of the host pass for CUTLASS. It reads bodies all the same where host
// code may need them, of constexpr functions and for deduced return types. Clang emits a stub only
// for a kernel that has a body, so skipped kernels get an empty one (by the linker, replaced.h).
#pragma once

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace clang {
class CompilerInstance;
}

namespace heddle::frontend {

/// To be asked, with the other consumers, by the parser of `instance`, which is a host pass.
std::unique_ptr<clang::ASTConsumer> skipDeviceBodies(clang::CompilerInstance &instance);

} // namespace heddle::frontend
