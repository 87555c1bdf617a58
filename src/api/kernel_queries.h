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
/// The same by the numbers that the driver API has for them.
cudaError_t attributeOf(const Device &device, const Kernel &kernel, int attribute, int *value);
cudaError_t setAttribute(Device &device, Kernel &kernel, cudaFuncAttribute attribute, int value);
/// Where a parameter lies among the packed ones.
cudaError_t parameterOf(const Kernel &kernel, size_t index, size_t *offset, size_t *size);

} // namespace heddle::api
