// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much memory code for a GPU may declare (CUDA C++ guide, table "Technical Specifications per
// Compute Capability"), and what ptxas says of more.
#pragma once

#include "frontend/command_line/options.h"
#include "module/image/image.h"

namespace heddle::frontend {

/// Static shared memory of a kernel and constant memory of a program, in bytes, on all GPUs.
inline constexpr uint64_t most_static_shared = 48 * 1024, most_constant = 64 * 1024;

/// Prints an error or a warning for each limit that the code does not keep. False after an error.
bool keepsLimits(const ImageInfo &info, const Options &options);

} // namespace heddle::frontend
