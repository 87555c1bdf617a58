// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts checking when the library is loaded into a process that heddle check has started.
#include "check/checker.h"

#include <cstdlib>

namespace heddle::check {
namespace {

struct Start {
  Checker *checker = nullptr; // never deleted: kernels may still run when the process ends
  Start() {
    const char *folder = std::getenv("HEDDLE_CHECK_FOLDER"); // set by heddle check alone
    if (!folder || !*folder)
      return;
    const char *races = std::getenv("HEDDLE_CHECK_RACES"); // likewise: 0 or 1
    checker = new Checker(folder, races && *races == '1');
    engine::observe::observer = checker;
  }
  ~Start() {
    if (checker)
      checker->write(true);
  }
} start;

} // namespace
} // namespace heddle::check
