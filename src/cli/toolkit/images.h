// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device images in a file, for cuobjdump and nvdisasm.
#pragma once

#include "module/image/image.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class MemoryBuffer;
}

namespace heddle::cli {

/// The images in a file: an image by itself (heddlecc -cubin, ptxas), an object file, a program, a
/// library. They point into the file's bytes.
class ImageFile {
public:
  /// Throws std::runtime_error if it cannot be read, or holds none.
  explicit ImageFile(const std::string &path);
  ~ImageFile();
  const std::vector<Image> &images() const { return images_; }

private:
  std::unique_ptr<llvm::MemoryBuffer> file_;
  std::vector<Image> images_;
};

/// The image's code as PTX.
std::string ptxOf(const Image &image);

} // namespace heddle::cli
