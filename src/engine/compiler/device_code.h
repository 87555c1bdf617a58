// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image's device code as IR: all of it, or what one kernel needs.
//
// Programs may have hundreds of kernels, of which a launch needs one. The code of the others is
// skipped when the image is parsed. Variables are laid out before anything is left out, so that
// kernels which are compiled apart find them in the same places.
#pragma once

#include "engine/part.h"
#include "module/image.h"
#include "module/layout.h"

#include "llvm/IR/Module.h"

#include <memory>

namespace heddle::engine {

struct DeviceCode {
  std::unique_ptr<llvm::Module> module;
  DeviceLayout layout;
};

/// Of the part of a kernel, variables have no initial values. Throws std::runtime_error if the
/// image's device code is damaged or has no such kernel.
DeviceCode readDeviceCode(const Image &image, llvm::LLVMContext &context,
                          std::string_view part = whole_image);

} // namespace heddle::engine
