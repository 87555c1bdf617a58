// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report of `--explain-codegen`: how a kernel's memory accesses and branches were compiled.
#pragma once

#include "engine/compiler/simd/simd_compiler.h"

#include <string>

namespace heddle::engine {

/// One paragraph for each kernel, one line for each kind of access in a source line.
std::string explain(const std::vector<KernelReport> &reports);

} // namespace heddle::engine
