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

/// The path of a program that is there already, and no source or library: a file, or as a shell
/// looks for it in PATH (python, pytest). Empty if there is none.
std::string findProgram(const std::string &name);
/// Whether a program is found in PATH alone. What follows its name is its own, as in a shell.
bool isInPath(const std::string &name);

/// Runs a program, or what these arguments of heddlecc build, with debug information for the host's
/// lines; as above.
int runWatched(const Words &what, const std::optional<Words> &program_arguments,
               const Words &settings);

/// Runs a program and says so if it ended by a signal; returns its exit code.
int runAndTell(const Words &command, const Words &settings);

} // namespace heddle::cli
