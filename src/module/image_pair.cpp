// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/image_pair.h"

#include "module/framed.h"

namespace heddle {
namespace {

// Where other frames have a header is one image, where they have bitcode the other.
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
