// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code begins at an address, and which of two images a program runs that was compiled
// with -G.
#pragma once

#include <cstddef>
#include <span>

namespace heddle::engine {

/// The image to run of what begins at `data`: an image, or a pair (module/image/image_pair.h). Of
/// those it is the code as it was written if this process is being debugged, or HEDDLE_DEBUG=1 says
/// that it will be. Empty if there is neither. Throws std::runtime_error if they are broken.
std::span<const std::byte> imageToRun(const void *data);

/// The number of bytes of the relocatable device code that begins at `data`; 0 if none does.
size_t relocatableBytes(const void *data);

} // namespace heddle::engine
