// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver that Heddle stands in for, CUDA 13.0's, which serves programs of CUDA 12 and 13.
#pragma once

#include <string_view>

namespace heddle {

inline constexpr int driver_cuda_version = 13000; // as cudaDriverGetVersion says it
inline constexpr std::string_view driver_cuda_release = "13.0";
inline constexpr std::string_view driver_version = "580.159.04"; // of NVIDIA's, for that release
inline constexpr int cuda13_version = 13000; // as libcudart.so.13's cudaRuntimeGetVersion says it

} // namespace heddle
