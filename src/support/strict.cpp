// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/strict.h"

#include <cstdlib>
#include <cstring>

namespace heddle {

bool strict() {
  const char *value = std::getenv("HEDDLE_STRICT");
  return !value || std::strcmp(value, "0") != 0;
}

} // namespace heddle
