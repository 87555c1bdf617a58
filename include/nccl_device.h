// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nccl_device.h: of NCCL's interface for communication by kernels what the host asks about windows.
// Communicators for kernels are refused.
#ifndef NCCL_DEVICE_H_
#define NCCL_DEVICE_H_

#include <nccl.h>

typedef struct ncclDevComm ncclDevComm_t;
typedef struct ncclDevCommRequirements ncclDevCommRequirements_t;

#ifdef __cplusplus
extern "C" {
#endif

#define __NCCL_FUNCTION(TYPE, NAME, PARAMETERS)                                                    \
  TYPE nccl##NAME PARAMETERS;                                                                      \
  TYPE pnccl##NAME PARAMETERS;
#include "__nccl/device.h"
#undef __NCCL_FUNCTION

#ifdef __cplusplus
}
#endif

#endif // NCCL_DEVICE_H_
