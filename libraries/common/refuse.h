// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library answers bad arguments with a status, as CUDA's do, and says on stderr what was wrong.
#pragma once

namespace heddle::library {

/// Prints "heddle: CALL: WHY (STATUS)" on stderr, unless HEDDLE_QUIET=1. `status` is the name of
/// the status that the call returns.
void explain(const char *call, const char *status, const char *why);

} // namespace heddle::library
