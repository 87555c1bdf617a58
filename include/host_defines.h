// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's source annotations (__global__, __shared__ ...) as Clang attributes.
//
// They mean something only in a .cu file, where the compiler defines __CUDACC__. Elsewhere (a C or
// C++ file that includes cuda_runtime.h) they are empty.
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#include "__heddle_host/architecture_features.h"

// "Entry points of the library use the platform's own calling convention": both are empty on Linux.
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

// Names that CUDA's own headers mark their built-in declarations with; some programs copy them.
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __builtin_align__(n) __align__(n)
#define __specialization_static static

// __noinline__ is not here on purpose: Clang has it as a keyword in .cu files, and as a macro it
// would break libstdc++, which writes __attribute__((__noinline__)).
#define __no_return__ __attribute__((noreturn))
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ __inline__ __attribute__((always_inline))

#ifdef __CUDACC__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

// A managed variable is one object that host and device code both use. It is compiled as a device
// variable on both sides: in host code Clang turns that into an ordinary ("shadow") variable that
// it registers with the runtime, and because kernels run in the host's address space the runtime
// makes that very storage the device's. The annotation tells the frontend which ones to treat so.
#define __managed__ __attribute__((device)) __attribute__((annotate("heddle.managed")))

// One, two or three arguments: threads per block, blocks per multiprocessor, blocks per cluster.
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// All threads share such a parameter, and its address (CUDA Programming Guide,
// "__grid_constant__").
#define __grid_constant__ __attribute__((annotate("heddle.grid_constant")))
#define __cluster_dims__(...) __attribute__((annotate("heddle.cluster_dims", __VA_ARGS__)))
#define __maxnreg__(...) __attribute__((annotate("heddle.maxnreg")))
#define __block_size__(...)
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#define __cluster_dims__(...)
#define __maxnreg__(...)
#endif

#endif
