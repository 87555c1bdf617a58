// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvml/figures.h"

#include "device/platform.h"

namespace heddle::nvml {

bool isInUse() { return Platform::started(); }

uint64_t usedMemory(const Card &card) {
  const int ordinal = isInUse() ? Platform::instance().ordinalOf(card.ordinal) : -1;
  return ordinal < 0 ? 0 : Platform::instance().memory().used(ordinal);
}

nvmlBrandType_t brandOf(const gpu::Gpu &gpu) {
  const auto has = [&](std::string_view word) { return gpu.name.find(word) != std::string::npos; };
  return has("Tesla")     ? NVML_BRAND_TESLA
         : has("GeForce") ? NVML_BRAND_GEFORCE
         : has("Quadro")  ? NVML_BRAND_QUADRO
         : has("TITAN")   ? NVML_BRAND_TITAN
         : has("NVIDIA")  ? NVML_BRAND_NVIDIA
                          : NVML_BRAND_UNKNOWN;
}

nvmlDeviceArchitecture_t architectureOf(const gpu::Gpu &gpu) {
  const int capability = gpu.compute_major * 10 + gpu.compute_minor;
  return capability == 70 || capability == 72  ? NVML_DEVICE_ARCH_VOLTA
         : capability == 75                    ? NVML_DEVICE_ARCH_TURING
         : capability >= 80 && capability < 89 ? NVML_DEVICE_ARCH_AMPERE
         : capability == 89                    ? NVML_DEVICE_ARCH_ADA
         : gpu.compute_major == 9              ? NVML_DEVICE_ARCH_HOPPER
         : gpu.compute_major >= 10             ? NVML_DEVICE_ARCH_BLACKWELL
                                               : NVML_DEVICE_ARCH_UNKNOWN;
}

// NVIDIA Multi-Instance GPU User Guide, "Supported GPUs": those of compute capability 8.0, 9.0
// and 10.0.
bool hasMig(const gpu::Gpu &gpu) {
  return gpu.compute_minor == 0 && gpu.compute_major >= 8 && gpu.compute_major <= 10;
}

} // namespace heddle::nvml
