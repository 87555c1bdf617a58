// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does what a heddlecc command line asks for (but running the program, -run, is the caller's).
#pragma once

#include "frontend/command_line/options.h"

#include <filesystem>

namespace heddle::frontend {

/// Compiles, links and so on. Returns the exit code; messages go to stderr.
int build(const Options &options);

/// The program or shared library that Action::Link makes.
std::filesystem::path linkedFile(const Options &options);

} // namespace heddle::frontend
