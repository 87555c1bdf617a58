// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddlecc, the compiler that takes the place of nvcc.
#pragma once

namespace heddle::compiler {

/// Compiles and links as nvcc's options say (argv[1] and on). Returns the exit status; messages go
/// to stderr.
int runHeddlecc(int argc, char **argv);

} // namespace heddle::compiler
