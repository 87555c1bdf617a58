// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which function of CUDA a program has called.
#pragma once

#include "engine/observe/host.h"

#include <string>

namespace heddle::engine::observe {

/// The entry point that the program has called, without the suffixes of the variants for default
/// streams of threads. Looks at the calling thread's stack: for calling() and called() only.
std::string entryPoint(const Call &call);

} // namespace heddle::engine::observe
