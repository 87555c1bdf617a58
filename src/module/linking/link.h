// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links relocatable device code: what nvlink does for nvcc.
#pragma once

#include "module/linking/device_object.h"

#include <functional>
#include <memory>

namespace heddle {

/// The objects that a program consists of: all that are no members of libraries, and of the members
/// those with something that the host may name, and those that define what others need. In their
/// order.
std::vector<const DeviceObject *> chooseObjects(std::span<const DeviceObject> objects);

/// The messages, as nvlink words them, about symbols that several objects define, or that none
/// does and `isBuiltIn` denies, too.
std::vector<std::string>
findSymbolProblems(std::span<const DeviceObject *const> objects,
                   const std::function<bool(const std::string &)> &isBuiltIn);

/// __CUDA_ARCH__ of the GPU to link for: the highest of `wanted` (if that is empty, of those that
/// the objects were compiled for) that all were compiled for, else the highest that is no older
/// than those; `otherwise` if all are for any GPU. Adds a message for each object that is in the
/// way to `problems`.
uint32_t chooseArch(std::span<const DeviceObject *const> objects, std::vector<uint32_t> wanted,
                    uint32_t otherwise, std::vector<std::string> &problems);

/// One module of all of them. They have no symbol problems. Throws std::runtime_error if their code
/// is broken.
std::unique_ptr<llvm::Module> linkObjects(std::span<const DeviceObject *const> objects,
                                          llvm::LLVMContext &context);

} // namespace heddle
