// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts checking when the library is loaded into a process that heddle check has started.
#include "check/checker.h"
#include "check/python_place.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

namespace heddle::check {
namespace {

std::terminate_handler terminate_before = nullptr;

// What the checker keeps grows with what kernels access, and compiled code catches no exceptions.
void tellIfMemoryRanOut() {
  try {
    if (const std::exception_ptr reason = std::current_exception())
      std::rethrow_exception(reason);
  } catch (const std::bad_alloc &) {
    std::fputs("heddle check: no memory is left; --only memory needs least of it\n", stderr);
  } catch (...) {
  }
  terminate_before();
}

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
    followPython();
    terminate_before = std::set_terminate(tellIfMemoryRanOut);
  }
  ~Start() {
    if (checker)
      checker->write(true);
  }
} start;

} // namespace
} // namespace heddle::check

/// Writes what has been found until now, for a program that reads it while it runs (Heddle's
/// plug-in for pytest). Returns whether the process is checked.
extern "C" __attribute__((visibility("default"))) int __heddleWriteFindings() {
  if (!heddle::check::start.checker)
    return 0;
  heddle::check::start.checker->write(false);
  return 1;
}
