// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream memory operations as the driver API describes them.
#pragma once

#include "device/memory/memory_operations.h"
#include "driver/entry.h"

namespace heddle::driver {

/// Checks what a program has given, for a stream or a graph.
cudaError_t makeMemoryOperations(Device &device, const CUstreamBatchMemOpParams *list,
                                 unsigned count, std::shared_ptr<MemoryOperations> &operation);

} // namespace heddle::driver
