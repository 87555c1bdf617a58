// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a device image for the reference engine: scalar code that is called once for each
// thread.
#pragma once

#include "module/image/image.h"

#include <filesystem>

namespace heddle::engine {

/// Writes a shared object for this machine to `output`. Throws std::runtime_error.
void compileForReference(const Image &image, const std::filesystem::path &output,
                         uint32_t events = 0);

} // namespace heddle::engine
