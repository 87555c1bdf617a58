// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An engine without a compiler: kernels are functions of the test. It takes the real engine's place
// at link time, so that the device and the API can be tested alone.
#pragma once

#include "engine/launch.h"
#include "module/image/image.h"

#include <functional>

namespace heddle::fake {

using Body = std::function<std::optional<engine::Fault>(const engine::Launch &)>;

/// What the kernel of this name does in every image.
void define(const std::string &kernel, Body body);

/// An image whose globals begin with the bytes `initial`.
std::string makeImage(ImageInfo info, const std::string &initial = "");

/// The value of a parameter of a launch.
template <class Value> Value parameter(const engine::Launch &launch, size_t index) {
  const KernelInfo &info = launch.program->info().kernels[launch.kernel];
  return *reinterpret_cast<const Value *>(static_cast<const char *>(launch.parameters) +
                                          info.parameters[index].offset);
}

} // namespace heddle::fake
