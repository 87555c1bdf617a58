// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/switches.h"

#include <cstdlib>
#include <cstring>

namespace heddle {

bool switchedOn(const char *variable) {
  const char *value = std::getenv(variable);
  return value && std::strcmp(value, "1") == 0;
}

} // namespace heddle
