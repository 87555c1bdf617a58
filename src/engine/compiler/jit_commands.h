// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands of heddle-jit, with which the runtime library has kernels compiled.
#pragma once

namespace heddle::engine {

/// Runs the command that the program's arguments name, and returns its exit status;
/// jit_commands.cpp lists them.
int runJitCommand(int argc, char **argv);

} // namespace heddle::engine
