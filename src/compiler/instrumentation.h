// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries that instrumented host code needs: -fsanitize=…, --coverage.
//
// Clang's own are in a package of their own (Debian's libclang-rt-19-dev), which few have. GCC's
// address and undefined-behaviour sanitizers understand Clang's code, and are where g++ is; what
// --coverage needs is Heddle's own (coverage_runtime.c).
#pragma once

#include "clang/Driver/Job.h"

namespace heddle::compiler {

/// Where the link needs libraries of Clang's that are not there, names others instead. False, with
/// a message on stderr, if it needs one in whose place there is none.
bool useInstalledRuntimes(clang::driver::Command &link);

} // namespace heddle::compiler
