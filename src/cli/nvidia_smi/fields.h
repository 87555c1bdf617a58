// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nvidia-smi tells about a device, under the names that --query-gpu has for it.
//
// Figures come from the GPU's description. What only a real board has (temperature, power,
// utilisation) is "[N/A]", as nvidia-smi says for boards that lack a sensor.
#pragma once

#include "device/device.h"

#include "support/driver_version.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::cli {

struct Field {
  std::vector<std::string> names; // the first is shown in --format=csv's header
  std::string unit;               // "MiB", or empty
  std::string (*value)(Device &device);
};

const std::vector<Field> &fields();

/// The field with that name, or null.
const Field *findField(std::string_view name);

/// "Tesla T4", "GPU-48454444-…", "00000000:00:04.0": by the field's name.
std::string valueOf(std::string_view field, Device &device);

} // namespace heddle::cli
