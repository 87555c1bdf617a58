// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap behind malloc and new in kernels.
//
// CUDA guide, "Dynamic Global Memory Allocation": the heap has a fixed size, malloc returns null
// when it is used up, and what one kernel allocates another may free.
#pragma once

#include "engine/launch.h"

namespace heddle::engine {

void *heapAllocate(const DeviceResources &device, uint64_t bytes);
/// False if `pointer` is not one that heapAllocate gave and that has not been released.
bool heapRelease(const DeviceResources &device, void *pointer);

} // namespace heddle::engine
