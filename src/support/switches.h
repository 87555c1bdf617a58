// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Environment variables that turn something on.
#pragma once

namespace heddle {

/// Is the environment variable set to 1?
bool switchedOn(const char *variable);

} // namespace heddle
