// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches as both APIs make them.
#pragma once

#include "api/entry.h"
#include "device/launch.h"

namespace heddle::api {

/// `function`: a host function, or a kernel's handle. `extra`: as in cuLaunchKernel, or null.
cudaError_t launch(const void *function, LaunchRequest request, cudaStream_t stream,
                   void **extra = nullptr);
/// What attributes say about a launch.
cudaError_t readAttributes(const cudaLaunchAttribute *attributes, unsigned count,
                           LaunchRequest &request);

} // namespace heddle::api
