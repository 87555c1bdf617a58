// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Does what a heddlecc command line asks for.
#pragma once

#include "frontend/options.h"

namespace heddle::frontend {

/// Compiles, links and so on. Returns the exit code; messages go to stderr.
int build(const Options &options);

} // namespace heddle::frontend
