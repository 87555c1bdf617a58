// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of a device is known without starting it.
#pragma once

#include "nvml/handles.h"

namespace heddle::nvml {

/// What this process uses of it. A process that has not started devices uses none.
uint64_t usedMemory(const Card &card);
/// Whether this process has started devices.
bool isInUse();
nvmlBrandType_t brandOf(const gpu::Gpu &gpu);
nvmlDeviceArchitecture_t architectureOf(const gpu::Gpu &gpu);
/// Whether GPUs of this kind can be divided.
bool hasMig(const gpu::Gpu &gpu);

} // namespace heddle::nvml
