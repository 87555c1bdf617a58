// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one thing that Heddle's compiler needs of the system: a C++ standard library's headers.
#pragma once

#include "llvm/ADT/ArrayRef.h"

namespace heddle::frontend {

/// Throws std::runtime_error, which says what to install, if `arguments` (of clang -cc1) search for
/// system headers, but no folder among them has a C++ standard library's.
void requireCxxLibrary(llvm::ArrayRef<const char *> arguments);

} // namespace heddle::frontend
