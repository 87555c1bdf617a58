// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code compiled with -G: a pair of images, one to run and one to debug.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle {

struct ImagePair {
  std::string_view optimised;
  std::string_view as_written;
};

std::string writeImagePair(const ImagePair &pair);

/// Nothing if no pair starts at `data`. Throws std::runtime_error if it is damaged.
std::optional<ImagePair> readImagePair(const void *data);

} // namespace heddle
