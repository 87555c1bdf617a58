// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "refuse.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace heddle::library {

void explain(const char *call, const char *status, const char *why) {
  const char *quiet = std::getenv("HEDDLE_QUIET");
  if (!quiet || std::strcmp(quiet, "1") != 0)
    std::fprintf(stderr, "heddle: %s: %s (%s)\n", call, why, status);
}

} // namespace heddle::library
