// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where Heddle's own files lie.
//
// The build tree and an installation have the same shape (bin/, lib/, libexec/heddle/, include/,
// share/heddle/), so every program and library finds the others relative to itself.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace heddle {

/// The folder that holds bin/, lib/ and share/heddle/: HEDDLE_HOME if set, otherwise found from
/// where the calling program or library lies.
const std::filesystem::path &installRoot();

/// Whether the file is a header of Heddle's or of Clang's, which no user's line is in.
bool isInternalHeader(std::string_view path);

/// The folder of compiled kernels: HEDDLE_CACHE, else $XDG_CACHE_HOME/heddle, else ~/.cache/heddle.
/// Without a home it is a folder of this user's own in TMPDIR or /tmp.
std::filesystem::path cacheFolder();

/// CCCL's headers (Thrust, CUB, libcu++): of CUDA 12 or 13. The folder exists if they have been
/// fetched.
std::filesystem::path cccl(int release);

/// The helper program, run when a kernel must be compiled or a fault located.
std::filesystem::path jitProgram();

/// The program that holds LLVM, of which the others are launchers: another compiler is another
/// file.
std::filesystem::path compilerProgram();

/// A source file's name as messages give it: below the current folder, without that.
std::string shortName(const std::string &file);

} // namespace heddle
