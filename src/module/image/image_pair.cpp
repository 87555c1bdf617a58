// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/image/image_pair.h"

#include "module/image/framed.h"

namespace heddle {
namespace {

// One image is in the place of a frame's header, the other in that of its bitcode.
constexpr FrameKind kind = {"HEDG", 1, "device images"};

} // namespace

std::string writeImagePair(const ImagePair &pair) {
  return writeFrame(kind, pair.optimised, pair.as_written);
}

std::optional<ImagePair> readImagePair(const void *data) {
  const size_t bytes = frameBytes(kind, data);
  if (bytes == 0)
    return std::nullopt;
  const Frame frame = readFrame(kind, {static_cast<const std::byte *>(data), bytes});
  return ImagePair{frame.header, frame.bitcode};
}

} // namespace heddle
