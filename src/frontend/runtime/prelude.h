// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What NVRTC declares before the first line of a source, precompiled.
#pragma once

#include "frontend/command_line/options.h"

#include <string>

namespace heddle::frontend {

/// The bytes of Clang's precompiled header of include/__heddle_rtc/prelude.h for these options:
/// from the cache, or made now. Throws std::runtime_error if it cannot be made.
std::string precompiledPrelude(const Options &options);

} // namespace heddle::frontend
