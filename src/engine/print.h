// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf in kernels.
//
// Clang lowers a device printf to vprintf(format, buffer) with the arguments packed in the buffer,
// each aligned to its size. The text is made at once, while what %s points to is still there.
#pragma once

#include "engine/launch.h"

#include <cstdint>
#include <string>

namespace heddle::engine {

/// The text of printf(format, arguments...).
std::string formatDevice(const char *format, const void *arguments);

/// Formats and appends to `sink`. Returns the number of arguments, or -1 for a null format, as
/// CUDA's printf does (CUDA guide, "Formatted Output").
int32_t formatAndPrint(PrintSink &sink, const char *format, const void *arguments);

} // namespace heddle::engine
