// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel launches: checks one as a GPU's driver does, and puts it into a stream.
#pragma once

#include "device/registry.h"
#include "gpu/occupancy.h"

namespace heddle {

struct LaunchRequest {
  engine::Dim3 grid, block;
  size_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  void **arguments = nullptr; // the address of each argument
};

/// What a block of this kernel needs on this device, for the occupancy rules.
gpu::KernelResources resourcesOf(const Device &device, const Kernel &kernel, int threads,
                                 size_t dynamic_shared_bytes);

/// Returns as soon as the launch is in the stream. The arguments are copied.
cudaError_t launchKernel(Device &device, Kernel &kernel, DeviceStream &stream,
                         const LaunchRequest &request);

} // namespace heddle
