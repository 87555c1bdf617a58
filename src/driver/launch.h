// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/entry.h"

namespace heddle::driver {

/// The runtime API's description of a launch.
inline cudaLaunchConfig_t runtimeConfig(const CUlaunchConfig &config) {
  cudaLaunchConfig_t converted = {};
  converted.gridDim = {config.gridDimX, config.gridDimY, config.gridDimZ};
  converted.blockDim = {config.blockDimX, config.blockDimY, config.blockDimZ};
  converted.dynamicSmemBytes = config.sharedMemBytes;
  converted.stream = config.hStream;
  converted.attrs = as<cudaLaunchAttribute>(config.attrs);
  converted.numAttrs = config.numAttrs;
  return converted;
}

} // namespace heddle::driver
