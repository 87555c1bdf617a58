// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links relocatable device code, as nvlink does.
#pragma once

#include "module/linking/device_object.h"

#include <functional>
#include <memory>

namespace heddle {

/// The objects that the program consists of, in their order: all that are not members of libraries,
/// and those members that have kernels or variables for the host, or define what others need.
std::vector<const DeviceObject *> chooseObjects(std::span<const DeviceObject> objects);

/// Messages in nvlink's wording about symbols that several objects define, or that no object
/// defines and `isBuiltIn` does not accept.
std::vector<std::string>
findSymbolProblems(std::span<const DeviceObject *const> objects,
                   const std::function<bool(const std::string &)> &isBuiltIn);

/// __CUDA_ARCH__ of the GPU to link for: the highest in rank of `wanted` (if empty, of those that
/// the objects were compiled for) that all were compiled for, else the highest that is no older
/// than those; `otherwise` if all are for any GPU. Adds a message to `problems` for each object
/// that rules out a result.
uint32_t chooseArch(std::span<const DeviceObject *const> objects, std::vector<uint32_t> wanted,
                    uint32_t otherwise, std::vector<std::string> &problems);

/// Links the objects, which must have no symbol problems, into one module. Throws
/// std::runtime_error if their code is damaged.
std::unique_ptr<llvm::Module> linkObjects(std::span<const DeviceObject *const> objects,
                                          llvm::LLVMContext &context);

} // namespace heddle
