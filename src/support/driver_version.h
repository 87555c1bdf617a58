// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver that Heddle stands in for. As on many machines it is newer than the runtime (CUDA
// 12.4): IF nodes with an else and SWITCH nodes are there, for which programs ask for a driver of
// CUDA 12.8.
#pragma once

#include <string_view>

namespace heddle {

inline constexpr int driver_cuda_version = 12080; // as cudaDriverGetVersion says it
inline constexpr std::string_view driver_cuda_release = "12.8";
inline constexpr std::string_view driver_version = "570.124.06"; // of NVIDIA's, for that release

} // namespace heddle
