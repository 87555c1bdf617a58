// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/machine.h"

#include "support/paths.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace heddle {

std::string environment(const char *name, const char *otherwise) {
  const char *value = getenv(name);
  return value && *value ? value : otherwise;
}

namespace {

int wantedDevices() {
  std::string text = environment("HEDDLE_DEVICES", "1");
  int count = -1;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || *end || count < 0 || count > max_devices)
    throw std::runtime_error("HEDDLE_DEVICES=" + text + ": give a number from 0 to " +
                             std::to_string(max_devices));
  return count;
}

} // namespace

namespace {

/// The one device whose UUID begins so; -1 if there is none, or several.
int deviceWithUuid(const Machine &machine, std::string_view start) {
  int found = -1;
  for (int i = 0; i < machine.devices; ++i) {
    const std::string uuid = gpu::uuidText(*machine.gpu, i);
    const bool fits =
        start.size() <= uuid.size() &&
        std::equal(start.begin(), start.end(), uuid.begin(), [](unsigned char a, unsigned char b) {
          return std::tolower(a) == std::tolower(b);
        });
    if (fits && found >= 0)
      return -1;
    if (fits)
      found = i;
  }
  return found;
}

/// The device that the next entry of a list names, or -1. `rest` begins behind it then: at a comma,
/// or at what ends the list.
int nextDevice(const Machine &machine, std::string_view &rest, bool by_uuid) {
  if (by_uuid) {
    const std::string_view name = rest.substr(0, rest.find(','));
    rest.remove_prefix(name.size());
    return name.starts_with("GPU-") ? deviceWithUuid(machine, name) : -1;
  }
  const std::string text(rest);
  char *end = nullptr;
  const long number = std::strtol(text.c_str(), &end, 10);
  if (end == text.c_str() || number < 0 || number >= machine.devices)
    return -1;
  rest.remove_prefix(size_t(end - text.c_str()));
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  return int(number);
}

} // namespace

// As measured on a machine with two H200: the list ends at the first entry that names no device,
// and all entries are of the kind of the first.
std::optional<std::vector<int>> visibleDevices(const Machine &machine) {
  const std::string order = environment("CUDA_DEVICE_ORDER", "FASTEST_FIRST");
  if (order != "FASTEST_FIRST" && order != "PCI_BUS_ID")
    return std::nullopt;
  std::vector<int> visible;
  const char *list = getenv("CUDA_VISIBLE_DEVICES");
  for (int i = 0; !list && i < machine.devices; ++i)
    visible.push_back(i);
  std::string_view rest = list ? list : "";
  const bool by_uuid = rest.starts_with("GPU-");
  while (!rest.empty()) {
    const int device = nextDevice(machine, rest, by_uuid);
    if (device < 0)
      break;
    if (std::find(visible.begin(), visible.end(), device) != visible.end())
      return std::nullopt;
    visible.push_back(device);
    if (!rest.starts_with(','))
      break;
    rest.remove_prefix(1);
  }
  return visible;
}

Machine readMachine() {
  Machine machine{wantedDevices()};
  if (machine.devices > 0)
    machine.gpu =
        &gpu::load(environment("HEDDLE_GPU", "t4"), installRoot() / "share" / "heddle" / "gpus");
  return machine;
}

} // namespace heddle
