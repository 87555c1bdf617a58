// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime API that kernels may call (dynamic parallelism). Heddle does not have it yet: a
// kernel that launches another fails to compile. The types are those of the host API.
#ifndef HEDDLE_CUDA_DEVICE_RUNTIME_API_H
#define HEDDLE_CUDA_DEVICE_RUNTIME_API_H

#include "driver_types.h"
#include "host_defines.h"

#endif
