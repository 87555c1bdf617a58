// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of the host compiler (-Xcompiler, and what MPI's wrappers add).
//
// nvcc gives all of them to each run of the host compiler: the preprocessor of both sides, the
// compilation of host code and the link. Here the preprocessor's go to both sides, the linker's
// among the libraries, in their order, and the others to host code and to the link.
#pragma once

#include <string>
#include <vector>

namespace heddle::frontend {

/// Of these options for the host compiler, those that its link gets.
std::vector<std::string> linkOptions(const std::vector<std::string> &host);

/// Whether one of them only asks what the host compiler is: --version, -dumpversion, -print-….
bool asksHostCompiler(const std::vector<std::string> &host);

} // namespace heddle::frontend
