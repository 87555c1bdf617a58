// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads an image's device code as IR: all of it, or the part that one kernel needs.
//
// A program may have hundreds of kernels, of which a launch needs one. The bodies of the others are
// not parsed. Variables are laid out before anything is dropped, so that separately compiled
// kernels use the same offsets.
#pragma once

#include "engine/part.h"
#include "module/description/layout.h"
#include "module/image/image.h"

#include "llvm/IR/Module.h"

#include <memory>

namespace heddle::engine {

struct DeviceCode {
  std::unique_ptr<llvm::Module> module;
  DeviceLayout layout;
};

/// In the part of a single kernel, variables have no initial values. Throws std::runtime_error if
/// the image's device code is damaged or has no such kernel.
DeviceCode readDeviceCode(const Image &image, llvm::LLVMContext &context,
                          std::string_view part = whole_image);

} // namespace heddle::engine
