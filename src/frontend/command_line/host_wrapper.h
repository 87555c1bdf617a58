// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host compilers that are wrappers: MPI's mpicxx is a compiler with some options more.
#pragma once

#include <string>
#include <vector>

namespace heddle::frontend {

/// The options that -ccbin COMPILER stands for: what MPI's wrappers say that they add, nothing for
/// other compilers, since ours compiles host code itself. Throws std::runtime_error if the wrapper
/// cannot be run.
std::vector<std::string> wrapperOptions(const std::string &compiler);

} // namespace heddle::frontend
