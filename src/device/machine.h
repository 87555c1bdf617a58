// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which virtual devices there are, as the environment says: known without starting any.
#pragma once

#include "gpu/gpu.h"

#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// As many virtual devices as there can be.
inline constexpr int max_devices = 64;

struct Machine {
  int devices = 0;
  const gpu::Gpu *gpu = nullptr; // what each of them is; null if there are none
};

/// What the environment variable is set to, or `otherwise` if it is unset or empty.
std::string environment(const char *name, const char *otherwise);

/// Throws std::runtime_error with a sentence.
Machine readMachine();

/// The devices of the machine that this process sees, in its order, as NVIDIA's driver reads
/// CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER. Nothing if the driver takes them for wrong: one is
/// named twice, or there is no such order.
std::optional<std::vector<int>> visibleDevices(const Machine &machine);

} // namespace heddle
