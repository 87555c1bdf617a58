// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels do with the graphs that they are part of (CUDA runtime API, "Graph Management").
#pragma once

#include <__heddle/define.h>

#include "../driver_types.h"

/// Sets what a conditional node asks. The handle is the value's address.
__HEDDLE_DEVICE__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle,
                                               unsigned int value) {
  *reinterpret_cast<volatile unsigned int *>(handle) = value;
}
