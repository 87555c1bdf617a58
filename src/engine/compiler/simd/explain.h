// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says, for people, what became of a kernel's memory accesses and branches: `--explain-codegen`.
#pragma once

#include "engine/compiler/simd/simd_compiler.h"

#include <string>

namespace heddle::engine {

/// One paragraph a kernel, one line for each kind of access in a source line.
std::string explain(const std::vector<KernelReport> &reports);

} // namespace heddle::engine
