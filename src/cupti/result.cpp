// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results and their names; the version.
#include "cupti/result.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

using namespace heddle;

namespace {

struct Name {
  CUptiResult result;
  const char *name, *sentence;
};

#define HEDDLE_RESULT(name, sentence) {name, #name, sentence}
constexpr Name results[] = {
    HEDDLE_RESULT(CUPTI_SUCCESS, "no error"),
    HEDDLE_RESULT(CUPTI_ERROR_INVALID_PARAMETER, "a parameter is not valid"),
    HEDDLE_RESULT(CUPTI_ERROR_INVALID_DEVICE, "there is no such device"),
    HEDDLE_RESULT(CUPTI_ERROR_INVALID_CONTEXT, "there is no such context"),
    HEDDLE_RESULT(CUPTI_ERROR_INVALID_OPERATION, "not at this time, or not in this state"),
    HEDDLE_RESULT(CUPTI_ERROR_OUT_OF_MEMORY, "there is not enough memory"),
    HEDDLE_RESULT(CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT, "the value has not enough bytes"),
    HEDDLE_RESULT(CUPTI_ERROR_MAX_LIMIT_REACHED, "there are no more"),
    HEDDLE_RESULT(CUPTI_ERROR_NOT_INITIALIZED, "CUPTI, or CUDA, is not initialized"),
    HEDDLE_RESULT(CUPTI_ERROR_QUEUE_EMPTY, "nothing was pushed"),
    HEDDLE_RESULT(CUPTI_ERROR_INVALID_STREAM, "there is no such stream"),
    HEDDLE_RESULT(CUPTI_ERROR_INVALID_KIND, "there is no such kind"),
    HEDDLE_RESULT(CUPTI_ERROR_NOT_SUPPORTED, "not supported"),
    HEDDLE_RESULT(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, "there is a subscriber"),
    HEDDLE_RESULT(CUPTI_ERROR_UNKNOWN, "unknown error"),
    HEDDLE_RESULT(CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID, "there is no such domain of events"),
    HEDDLE_RESULT(CUPTI_ERROR_INVALID_EVENT_ID, "there is no such event"),
    HEDDLE_RESULT(CUPTI_ERROR_INVALID_EVENT_NAME, "there is no event of that name"),
    HEDDLE_RESULT(CUPTI_ERROR_HARDWARE, "the hardware does not answer"),
    HEDDLE_RESULT(CUPTI_ERROR_API_NOT_IMPLEMENTED, "not implemented"),
    HEDDLE_RESULT(CUPTI_ERROR_NOT_READY, "not ready"),
    HEDDLE_RESULT(CUPTI_ERROR_NOT_COMPATIBLE, "not compatible with what is in use"),
    HEDDLE_RESULT(CUPTI_ERROR_INVALID_METRIC_ID, "there is no such metric"),
    HEDDLE_RESULT(CUPTI_ERROR_INVALID_METRIC_NAME, "there is no metric of that name"),
    HEDDLE_RESULT(CUPTI_ERROR_INVALID_HANDLE, "the handle is not valid"),
    HEDDLE_RESULT(CUPTI_ERROR_INVALID_EVENT_VALUE, "the event's value is not valid"),
    HEDDLE_RESULT(CUPTI_ERROR_DISABLED, "switched off"),
    HEDDLE_RESULT(CUPTI_ERROR_INVALID_MODULE, "there is no such module"),
    HEDDLE_RESULT(CUPTI_ERROR_INVALID_METRIC_VALUE, "the metric's value is not valid"),
    HEDDLE_RESULT(CUPTI_ERROR_HARDWARE_BUSY, "the hardware is in use"),
    HEDDLE_RESULT(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED, "no profiling of managed memory"),
    HEDDLE_RESULT(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_DEVICE,
                  "no profiling of managed memory on this device"),
    HEDDLE_RESULT(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_NON_P2P_DEVICES,
                  "no profiling of managed memory on devices without peer access"),
    HEDDLE_RESULT(CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_WITH_MPS,
                  "no profiling of managed memory with MPS"),
    HEDDLE_RESULT(CUPTI_ERROR_CDP_TRACING_NOT_SUPPORTED, "no records of kernels' kernels"),
    HEDDLE_RESULT(CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, "not on virtualized devices"),
    HEDDLE_RESULT(CUPTI_ERROR_CUDA_COMPILER_NOT_COMPATIBLE, "the compiler is not compatible"),
    HEDDLE_RESULT(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "not allowed to this user"),
    HEDDLE_RESULT(CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED, "the older profiler is in use"),
    HEDDLE_RESULT(CUPTI_ERROR_OPENACC_UNDEFINED_ROUTINE, "OpenACC lacks a function"),
    HEDDLE_RESULT(CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED, "no events and metrics of old"),
    HEDDLE_RESULT(CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES,
                  "not allowed on this virtualized device"),
    HEDDLE_RESULT(CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED,
                  "not with confidential computing"),
    HEDDLE_RESULT(CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, "not on devices for mining"),
    HEDDLE_RESULT(CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, "not on parts of devices"),
    HEDDLE_RESULT(CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED, "not on devices in SLI"),
    HEDDLE_RESULT(CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, "not on WSL"),
};
#undef HEDDLE_RESULT

CUptiResult find(CUptiResult result, const char **text, const char *Name::*member) {
  return cupti::call([&] {
    if (!text)
      return CUPTI_ERROR_INVALID_PARAMETER;
    for (const Name &each : results)
      if (each.result == result) {
        *text = each.*member;
        return CUPTI_SUCCESS;
      }
    return CUPTI_ERROR_INVALID_PARAMETER;
  });
}

} // namespace

CUptiResult &cupti::lastError() {
  thread_local CUptiResult error = CUPTI_SUCCESS;
  return error;
}

CUptiResult cupti::notSupported(const char *what) {
  static std::mutex mutex;
  static auto *told = new std::set<std::string>;
  const std::lock_guard lock(mutex);
  const char *quiet = std::getenv("HEDDLE_QUIET");
  if (told->insert(what).second && !(quiet && *quiet && *quiet != '0'))
    std::fprintf(stderr, "heddle: CUPTI does not support %s\n", what);
  return CUPTI_ERROR_NOT_SUPPORTED;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char **str) {
  return find(result, str, &Name::name);
}
CUptiResult cuptiGetErrorMessage(CUptiResult result, const char **str) {
  return find(result, str, &Name::sentence);
}

CUptiResult cuptiGetLastError() {
  const CUptiResult error = cupti::lastError();
  cupti::lastError() = CUPTI_SUCCESS;
  return error;
}

namespace {

CUptiResult tellVersion(uint32_t *version, uint32_t value) {
  return cupti::call([&] {
    if (!version)
      return CUPTI_ERROR_INVALID_PARAMETER;
    *version = value;
    return CUPTI_SUCCESS;
  });
}

} // namespace

CUptiResult cuptiGetVersion(uint32_t *version) { return tellVersion(version, CUPTI_API_VERSION); }

/// libcupti.so.13's: that of CUDA 13.5, whose records ours are.
extern "C" __attribute__((visibility("default"))) CUptiResult
__heddleCuptiGetVersion13(uint32_t *version) {
  return tellVersion(version, 130500);
}
