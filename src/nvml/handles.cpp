// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvml/handles.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <optional>

namespace heddle::nvml {
namespace {

std::mutex mutex; // guards what follows
unsigned begun_count = 0;
std::optional<Machine> found;

// A handle is an address in here.
std::array<char, max_devices> places;

} // namespace

nvmlReturn_t begin(bool without_devices) {
  const std::lock_guard lock(mutex);
  if (!found) {
    try {
      found = readMachine();
    } catch (const std::exception &error) {
      std::fprintf(stderr, "heddle: %s\n", error.what());
      return NVML_ERROR_UNKNOWN;
    }
  }
  if (found->devices == 0 && !without_devices)
    return NVML_ERROR_DRIVER_NOT_LOADED; // as on a computer without a GPU
  ++begun_count;
  return NVML_SUCCESS;
}

nvmlReturn_t end() {
  const std::lock_guard lock(mutex);
  if (begun_count == 0)
    return NVML_ERROR_UNINITIALIZED;
  --begun_count;
  return NVML_SUCCESS;
}

bool begun() {
  const std::lock_guard lock(mutex);
  return begun_count > 0;
}

const Machine &machine() { return *found; }

nvmlDevice_t handleOf(int ordinal) {
  return reinterpret_cast<nvmlDevice_t>(&places[size_t(ordinal)]);
}

int ordinalOf(nvmlDevice_t handle) {
  for (int ordinal = 0; ordinal < machine().devices; ++ordinal)
    if (handle == handleOf(ordinal))
      return ordinal;
  return -1;
}

nvmlReturn_t copyText(std::string_view text, char *to, unsigned length) {
  if (!to)
    return NVML_ERROR_INVALID_ARGUMENT;
  if (length <= text.size())
    return NVML_ERROR_INSUFFICIENT_SIZE;
  std::memcpy(to, text.data(), text.size());
  to[text.size()] = 0;
  return NVML_SUCCESS;
}

} // namespace heddle::nvml
