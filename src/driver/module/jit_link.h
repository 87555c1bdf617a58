// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code of all kinds becomes one image: PTX, images, objects that heddlecc -dc has made,
// libraries of them.
#pragma once

#include "driver/entry.h"

#include <string>
#include <vector>

namespace heddle::driver {

struct JitInput {
  CUjitInputType type;
  std::string name; // what messages call it
  std::string bytes;
};

/// Whether the bytes begin as the inputs of this type do.
bool looksLike(CUjitInputType type, const std::string &bytes);

/// Links for the current device. The log says what is wrong.
/// CUDA_ERROR_INVALID_PTX for bad PTX and for functions or variables that are missing or there
/// twice, CUDA_ERROR_INVALID_IMAGE for inputs that hold no device code of Heddle's,
/// CUDA_ERROR_JIT_COMPILER_NOT_FOUND if libnvJitLink is not where this library is.
CUresult jitLink(const std::vector<JitInput> &inputs, std::vector<std::byte> &image,
                 std::string &log);

} // namespace heddle::driver
