// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which virtual devices there are, as the environment says: known without starting any.
#pragma once

#include "gpu/gpu.h"

#include <string>

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

} // namespace heddle
