// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library itself, and the driver: begin and end, versions, texts of errors.
#include "nvml/handles.h"
#include "support/driver_version.h"

#include <fstream>
#include <iterator>
#include <string>

using namespace heddle;
using namespace heddle::nvml;

namespace {

struct Text {
  nvmlReturn_t result;
  const char *text;
};
constexpr Text texts[] = {
    {NVML_SUCCESS, "Success"},
    {NVML_ERROR_UNINITIALIZED, "Uninitialized"},
    {NVML_ERROR_INVALID_ARGUMENT, "Invalid Argument"},
    {NVML_ERROR_NOT_SUPPORTED, "Not Supported"},
    {NVML_ERROR_NO_PERMISSION, "Insufficient Permissions"},
    {NVML_ERROR_ALREADY_INITIALIZED, "Already Initialized"},
    {NVML_ERROR_NOT_FOUND, "Not Found"},
    {NVML_ERROR_INSUFFICIENT_SIZE, "Insufficient Size"},
    {NVML_ERROR_INSUFFICIENT_POWER, "Insufficient External Power"},
    {NVML_ERROR_DRIVER_NOT_LOADED, "Driver Not Loaded"},
    {NVML_ERROR_TIMEOUT, "Timeout"},
    {NVML_ERROR_IRQ_ISSUE, "Interrupt Request Issue"},
    {NVML_ERROR_LIBRARY_NOT_FOUND, "NVML Shared Library Not Found"},
    {NVML_ERROR_FUNCTION_NOT_FOUND, "Function Not Found"},
    {NVML_ERROR_CORRUPTED_INFOROM, "Corrupted infoROM"},
    {NVML_ERROR_GPU_IS_LOST, "GPU is lost"},
    {NVML_ERROR_RESET_REQUIRED, "GPU requires restart"},
    {NVML_ERROR_OPERATING_SYSTEM, "The operating system has blocked the request."},
    {NVML_ERROR_LIB_RM_VERSION_MISMATCH, "Driver/library version mismatch"},
    {NVML_ERROR_IN_USE, "In use by another client"},
    {NVML_ERROR_MEMORY, "Insufficient Memory"},
    {NVML_ERROR_NO_DATA, "No data"},
    {NVML_ERROR_VGPU_ECC_NOT_SUPPORTED, "ECC is enabled, which virtual GPUs do not support"},
    {NVML_ERROR_INSUFFICIENT_RESOURCES, "Insufficient Resources"},
    {NVML_ERROR_FREQ_NOT_SUPPORTED, "Frequency not supported"},
    {NVML_ERROR_ARGUMENT_VERSION_MISMATCH, "Argument version mismatch"},
    {NVML_ERROR_DEPRECATED, "Deprecated"},
    {NVML_ERROR_NOT_READY, "Not ready"},
    {NVML_ERROR_GPU_NOT_FOUND, "GPU not found"},
    {NVML_ERROR_INVALID_STATE, "Invalid state"},
};

} // namespace

nvmlReturn_t nvmlInit_v2() { return begin(false); }
nvmlReturn_t nvmlInitWithFlags(unsigned flags) { return begin(flags & NVML_INIT_FLAG_NO_GPUS); }
nvmlReturn_t nvmlShutdown() { return end(); }

const char *nvmlErrorString(nvmlReturn_t result) {
  for (const Text &each : texts)
    if (each.result == result)
      return each.text;
  return "Unknown Error";
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned length) {
  return call([&] { return copyText(driver_version, version, length); });
}
nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned length) {
  return call([&] { return copyText("12." + std::string(driver_version), version, length); });
}

// Needs no nvmlInit.
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version) {
  if (!version)
    return NVML_ERROR_INVALID_ARGUMENT;
  *version = driver_cuda_version;
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version) {
  return nvmlSystemGetCudaDriverVersion_v2(version);
}

nvmlReturn_t nvmlSystemGetProcessName(unsigned pid, char *name, unsigned length) {
  return call([&] {
    std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline", std::ios::binary);
    if (!file)
      return NVML_ERROR_NOT_FOUND;
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    return copyText(all.c_str(), name, length); // the first word
  });
}
