// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tools ask for: the profiler's switch, and settings of core dumps, which are kept and have no
// effect: a kernel's fault is reported with its line instead.
#include "driver/entry.h"

#include <cstring>
#include <map>
#include <string>

using namespace heddle;
using namespace heddle::driver;

namespace {

/// Settings of all contexts, or of one.
using Settings = std::map<CUcoredumpSettings, std::string>;

std::mutex mutex;

Settings &settingsOf(const Context *context) {
  static auto *all = new std::map<const Context *, Settings>;
  return (*all)[context];
}

bool isText(CUcoredumpSettings attribute) {
  return attribute == CU_COREDUMP_FILE || attribute == CU_COREDUMP_PIPE;
}

size_t bytesOf(CUcoredumpSettings attribute) {
  return attribute == CU_COREDUMP_GENERATION_FLAGS ? sizeof(unsigned) : sizeof(bool);
}

bool known(CUcoredumpSettings attribute) {
  return attribute >= CU_COREDUMP_ENABLE_ON_EXCEPTION && attribute < CU_COREDUMP_MAX;
}

CUresult get(const Context *context, CUcoredumpSettings attribute, void *value, size_t *size) {
  if (!known(attribute) || !size)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(mutex);
  std::string found = settingsOf(context)[attribute];
  if (isText(attribute))
    found.push_back(0);
  else
    found.resize(bytesOf(attribute));
  if (!value) {
    *size = found.size();
    return CUDA_SUCCESS;
  }
  if (*size < found.size())
    return CUDA_ERROR_INVALID_VALUE;
  memcpy(value, found.data(), found.size());
  *size = found.size();
  return CUDA_SUCCESS;
}

CUresult set(const Context *context, CUcoredumpSettings attribute, const void *value,
             const size_t *size) {
  constexpr size_t longest = 1024;
  if (!known(attribute) || !value || !size || *size > longest)
    return CUDA_ERROR_INVALID_VALUE;
  if (!isText(attribute) && *size < bytesOf(attribute))
    return CUDA_ERROR_INVALID_VALUE;
  const auto *bytes = static_cast<const char *>(value);
  std::lock_guard lock(mutex);
  settingsOf(context)[attribute] = isText(attribute) ? std::string(bytes, strnlen(bytes, *size))
                                                     : std::string(bytes, bytesOf(attribute));
  return CUDA_SUCCESS;
}

} // namespace

// CUDA 12 has it, and it always answers so (driver API, "Profiler Control").
CUresult cuProfilerInitialize(const char *, const char *, CUoutput_mode) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuProfilerStart() {
  return callContext([] { return cudaProfilerStart(); });
}
CUresult cuProfilerStop() {
  return callContext([] { return cudaProfilerStop(); });
}

CUresult cuCoredumpGetAttribute(CUcoredumpSettings attribute, void *value, size_t *size) {
  return callContext([&](Context &context) { return get(&context, attribute, value, size); });
}
CUresult cuCoredumpGetAttributeGlobal(CUcoredumpSettings attribute, void *value, size_t *size) {
  return call([&] { return get(nullptr, attribute, value, size); });
}
CUresult cuCoredumpSetAttribute(CUcoredumpSettings attribute, void *value, size_t *size) {
  return callContext([&](Context &context) { return set(&context, attribute, value, size); });
}
CUresult cuCoredumpSetAttributeGlobal(CUcoredumpSettings attribute, void *value, size_t *size) {
  return call([&] { return set(nullptr, attribute, value, size); });
}
