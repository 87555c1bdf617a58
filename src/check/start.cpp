// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts checking when the library is loaded into a process that heddle check has started.
#include "check/checker.h"

#include <cstdlib>
#include <cstring>

namespace heddle::check {
namespace {

struct Start {
  Checker *checker = nullptr; // never deleted: kernels may still run when the process ends
  Start() {
    const char *folder = std::getenv("HEDDLE_CHECK_FOLDER"); // set by heddle check alone
    if (!folder || !*folder)
      return;
    const char *checks = std::getenv("HEDDLE_CHECKS"); // likewise: some of race, init, api
    const auto wants = [&](const char *name) { return checks && std::strstr(checks, name); };
    checker = new Checker(folder, {.races = wants("race"),
                                   .init = wants("init"),
                                   .api = wants("api"),
                                   .unused = wants("unused")});
    engine::observe::observer = checker;
  }
  ~Start() {
    if (checker)
      checker->write(true);
  }
} start;

} // namespace
} // namespace heddle::check
