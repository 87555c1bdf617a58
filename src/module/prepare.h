// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From Clang's device IR to the device image that every engine takes.
//
// Links the device library, gives undefined arithmetic its GPU meaning, optimises with the NVPTX
// target's view of costs (a GPU's branches and inlining), fixes which operations are fused, and
// describes the result. All of it happens once, when the program is built; so all engines see the
// same program.
#pragma once

#include "module/image.h"

#include "llvm/IR/Module.h"

#include <filesystem>

namespace heddle {

struct PrepareOptions {
  std::string source; // for messages
  uint32_t arch = 750;
  bool debug = false;    // -G: keep the code as written
  unsigned optimize = 2; // -O level for device code
  std::filesystem::path device_library;
};

/// The image's bytes and its description. Throws std::runtime_error with compiler-style messages,
/// one a line, for what is not supported.
struct PreparedImage {
  std::string bytes;
  ImageInfo info;
};
PreparedImage prepareImage(llvm::Module &module, const PrepareOptions &options);

} // namespace heddle
