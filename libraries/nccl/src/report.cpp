// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of results, and sentences about failures.
#include "report.h"
#include "common/refuse.h"
#include "failure.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

namespace heddle::nccl {
namespace {

std::mutex mutex;
char last_error[1024] = "";

} // namespace

Failure currentFailure() {
  try {
    throw;
  } catch (const Failure &failure) {
    return failure;
  } catch (const std::bad_alloc &) {
    return {ncclSystemError, "out of memory"};
  } catch (const std::exception &error) {
    return {ncclSystemError, error.what()};
  }
}

const char *nameOf(ncclResult_t result) {
  static constexpr const char *names[ncclNumResults] = {
      "ncclSuccess",         "ncclUnhandledCudaError", "ncclSystemError", "ncclInternalError",
      "ncclInvalidArgument", "ncclInvalidUsage",       "ncclRemoteError", "ncclInProgress"};
  return unsigned(result) < ncclNumResults ? names[result] : "unknown";
}

ncclResult_t report(const char *call, const Failure &failure) {
  library::explain(call, nameOf(failure.result), failure.why.c_str());
  const std::lock_guard lock(mutex);
  std::snprintf(last_error, sizeof last_error, "%s: %s", call, failure.why.c_str());
  return failure.result;
}

const char *lastError() {
  static thread_local char copy[sizeof last_error];
  const std::lock_guard lock(mutex);
  std::memcpy(copy, last_error, sizeof copy);
  return copy;
}

void showVersion(bool again) {
  static bool shown = false;
  const std::lock_guard lock(mutex);
  if (again)
    shown = false;
  const char *level = std::getenv("NCCL_DEBUG");
  if (!std::exchange(shown, true) && level && *level && std::string_view(level) != "NONE") {
    std::printf("NCCL version %d.%d.%d (Heddle)\n", NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH);
    std::fflush(stdout);
  }
}

} // namespace heddle::nccl
