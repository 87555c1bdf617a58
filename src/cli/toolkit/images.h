// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device code in a file, for cuobjdump and nvdisasm: images of Heddle's, and what is in fat
// binaries of nvcc's.
#pragma once

#include "module/image/image.h"
#include "module/image/nvidia_fat_binary.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class MemoryBuffer;
}

namespace heddle::cli {

/// The device code in a file: an image by itself (heddlecc -cubin, ptxas), a fat binary, an object
/// file, a program, a library. It points into the file's bytes.
class ImageFile {
public:
  /// Throws std::runtime_error if it cannot be read, holds none, or a broken fat binary.
  explicit ImageFile(const std::string &path);
  ~ImageFile();
  const std::vector<Image> &images() const { return code_.images; }
  /// Of all fat binaries of nvcc's, in their order.
  const std::vector<FatBinaryCode> &fatBinaryCodes() const { return code_.fat_binary_codes; }

  struct DeviceCode {
    std::vector<Image> images;
    std::vector<FatBinaryCode> fat_binary_codes;
  };

private:
  std::unique_ptr<llvm::MemoryBuffer> file_;
  DeviceCode code_;
};

/// The image's code as PTX.
std::string ptxOf(const Image &image);

/// What the kernels of a PTX text need, from their translation.
ImageInfo infoOfPtx(const std::string &text, const std::string &name, unsigned capability);

} // namespace heddle::cli
