// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVRTC's options (NVRTC guide, "Supported Compile Options") as heddlecc's.
#pragma once

#include <string>
#include <vector>

namespace heddle::rtc {

struct NvrtcOptions {
  std::vector<std::string> compiler; // heddlecc's, but for what is to be made
  bool real_architecture = false;    // sm_XX: a cubin is wanted, too
  bool link_later = false;           // -dlto
  bool all_for_device = false;       // -default-device
  std::vector<std::string> bad;      // messages about options that are not NVRTC's
};

/// The GPUs that nvrtcGetSupportedArchs lists: those of CUDA 12.9 or 13.0.
const std::vector<int> &supportedArchs();

NvrtcOptions parseNvrtcOptions(const std::vector<std::string> &words);

} // namespace heddle::rtc
