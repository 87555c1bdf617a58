// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building a program and running it, as heddle run and heddle check do.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heddle::cli {

using Words = std::vector<std::string>;

/// Builds by these arguments of heddlecc and runs what comes out of it; returns its exit code, or
/// the compiler's. `program_arguments`: those behind --, if there was one. `settings`: more of its
/// environment (NAME=value); `compiler_settings`: of the compiler's. Throws UsageError.
int buildAndRun(Words build, const std::optional<Words> &program_arguments, Words settings,
                Words compiler_settings = {});

/// Whether this is a program that has been built already, and no source or library.
bool isProgram(const std::string &name);

/// Runs a program, or what these arguments of heddlecc build, with debug information for the host's
/// lines; as above.
int runWatched(const Words &what, const std::optional<Words> &program_arguments,
               const Words &settings);

/// Runs a program and says so if it ended by a signal; returns its exit code.
int runAndTell(const Words &command, const Words &settings);

} // namespace heddle::cli
