// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both the host program and its kernels can ask.
#pragma once

#include "api/entry.h"
#include "device/registry.h"

namespace heddle::api {

cudaError_t attributeOf(Platform &platform, int device, cudaDeviceAttr attribute, int *value);
cudaError_t attributesOf(const Device &device, const Kernel &kernel,
                         cudaFuncAttributes *attributes);

} // namespace heddle::api
