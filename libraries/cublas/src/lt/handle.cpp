// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasLt's handles, versions and logging.
#include "../status.h"
#include "common/handles.h"
#include "common/refuse.h"
#include "descriptions.h"
#include "shared_handles.h"

#include <atomic>
#include <cstdio>
#include <cuda_runtime_api.h>
#include <mutex>
#include <string>

struct cublasLtContext {};
struct SharedContext; // a handle of cuBLAS

namespace heddle::cublaslt {

bool isLive(cublasLtHandle_t handle) {
  return library::handles<cublasLtContext>().has(handle) ||
         library::handles<SharedContext>().has(reinterpret_cast<SharedContext *>(handle));
}

cublasStatus_t refuse(const char *function, cublasStatus_t status, const char *why) {
  library::explain(function, cublas::statusName(status), why);
  return status;
}

namespace {

// Level 5 and bit 16 are "API calls" in cublasLt's logging. Never destroyed: calls may come when
// the program ends.
struct Logger {
  std::mutex mutex;
  std::atomic<bool> active = false;
  int level = 0, mask = 0;
  bool disabled = false;
  FILE *file = nullptr;
  bool owned = false;
  cublasLtLoggerCallback_t callback = nullptr;

  void close() {
    if (owned && file)
      std::fclose(file);
    file = nullptr;
    owned = false;
  }
  void update() { active = !disabled && (level >= 5 || (mask & 16)); }
};
Logger &logger() {
  static auto &instance = *new Logger;
  return instance;
}

/// Changes the logger's settings under its lock.
template <typename F> cublasStatus_t change(F function) {
  Logger &to = logger();
  const std::lock_guard lock(to.mutex);
  function(to);
  to.update();
  return CUBLAS_STATUS_SUCCESS;
}

std::atomic<size_t> cache_capacity = 8192;
std::atomic<unsigned> instructions_mask = 0;

} // namespace

void log(const char *function) {
  Logger &to = logger();
  if (!to.active.load(std::memory_order_relaxed))
    return;
  const std::lock_guard lock(to.mutex);
  const std::string text = std::string("[cublasLt][5][Api][") + function + "]\n";
  if (to.callback)
    to.callback(5, function, text.c_str());
  FILE *file = to.file ? to.file : stdout;
  if (!to.callback || to.file) {
    std::fputs(text.c_str(), file);
    std::fflush(file);
  }
}

} // namespace heddle::cublaslt

using namespace heddle;
using namespace heddle::cublaslt;

void heddleCublasLtShare(void *handle) {
  library::handles<SharedContext>().add(static_cast<SharedContext *>(handle));
}
void heddleCublasLtForget(void *handle) {
  library::handles<SharedContext>().remove(static_cast<SharedContext *>(handle));
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  log(__func__);
  if (!handle)
    return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, "the pointer is null");
  if (cudaFree(nullptr) != cudaSuccess)
    return refuse(__func__, CUBLAS_STATUS_NOT_INITIALIZED, "there is no device to use");
  *handle = library::handles<cublasLtContext>().add(new cublasLtContext);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  log(__func__);
  if (!library::handles<cublasLtContext>().remove(handle))
    return refuse(__func__, CUBLAS_STATUS_NOT_INITIALIZED,
                  "the handle was not created, or destroyed");
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

const char *cublasLtGetStatusName(cublasStatus_t status) { return cublas::statusName(status); }
const char *cublasLtGetStatusString(cublasStatus_t status) { return cublas::statusText(status); }
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t *capacity) {
  if (!capacity)
    return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, "the pointer is null");
  *capacity = cache_capacity;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t capacity) {
  cache_capacity = capacity;
  return CUBLAS_STATUS_SUCCESS;
}
unsigned cublasLtDisableCpuInstructionsSetMask(unsigned mask) {
  return instructions_mask.exchange(mask);
}

cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t callback) {
  return change([=](Logger &to) { to.callback = callback; });
}
cublasStatus_t cublasLtLoggerSetFile(FILE *file) {
  return change([=](Logger &to) {
    to.close();
    to.file = file;
  });
}
cublasStatus_t cublasLtLoggerOpenFile(const char *name) {
  FILE *file = name ? std::fopen(name, "w") : nullptr;
  if (!file)
    return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, "the log file cannot be opened");
  return change([=](Logger &to) {
    to.close();
    to.file = file;
    to.owned = true;
  });
}
cublasStatus_t cublasLtLoggerSetLevel(int level) {
  if (level < 0 || level > 5)
    return refuse(__func__, CUBLAS_STATUS_INVALID_VALUE, "levels are 0 to 5");
  return change([=](Logger &to) { to.level = level; });
}
cublasStatus_t cublasLtLoggerSetMask(int mask) {
  return change([=](Logger &to) { to.mask = mask; });
}
cublasStatus_t cublasLtLoggerForceDisable() {
  return change([](Logger &to) { to.disabled = true; });
}
