// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/machine.h"

#include "support/paths.h"

#include <charconv>
#include <cstdlib>
#include <stdexcept>

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

Machine readMachine() {
  Machine machine{wantedDevices()};
  if (machine.devices > 0)
    machine.gpu =
        &gpu::load(environment("HEDDLE_GPU", "t4"), installRoot() / "share" / "heddle" / "gpus");
  return machine;
}

} // namespace heddle
