// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the functions of the device headers are declared.
//
// They are static and always inlined: a device image then holds no copies of unused functions, and
// debug builds (-G) still reach the LLVM intrinsic without a call.
// In the device library, which defines __HEDDLE_DEVICE_LIBRARY__, they are functions to be called.
#pragma once

#ifdef __HEDDLE_DEVICE_LIBRARY__
#define __HEDDLE_DEVICE__ extern "C" __attribute__((device))
#else
#define __HEDDLE_DEVICE__ static __inline__ __attribute__((always_inline, device))
#endif
#define __HEDDLE_HOST__ static __inline__ __attribute__((host))
#define __HEDDLE_HOST_DEVICE__ static __inline__ __attribute__((always_inline, host, device))
