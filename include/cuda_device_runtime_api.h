// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime API that kernels may call (CUDA C++ Programming Guide, "Dynamic Parallelism"): the
// streams that only they have. The functions come with cuda_runtime.h, as for the host.
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "driver_types.h"
#include "host_defines.h"

/// Runs what is launched into it when the grid, and all that it has launched, has ended.
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
/// Runs each launch independently of all others.
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
/// For graphs that kernels launch: when the launching graph has ended; at once, as a part of it; at
/// once, as a part of what it is a part of.
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000)

#if defined(__CUDA__) && defined(__clang__) && defined(__cplusplus)
#include "__heddle/device_runtime.h"
#endif

#endif
