// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA runtime API (levels 12.9 and 13.0) for C and C++: the declarations of every function.
// They are in parts, under __heddle_host/. A function that Heddle does not implement yet is
// declared here all the same; a program that calls it fails to link, with that function's name.
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#include "__heddle_host/release.h"
#include "builtin_types.h"
#include "cuda_device_runtime_api.h"
#include "host_defines.h"
#include <stddef.h>

#define CUDART_VERSION HEDDLE_CUDA_VERSION

#define __CUDART_API_VERSION CUDART_VERSION

// A default argument where the language has them.
#ifdef __cplusplus
#define HEDDLE_DEFAULT(value) = value
extern "C" {
#else
#define HEDDLE_DEFAULT(value)
#endif
#define HEDDLE_HOST_API

// The compiler calls these by name for <<<...>>>: the second with a per-thread default stream.
cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                             size_t sharedMem, cudaStream_t stream);
cudaError_t cudaLaunchKernel_ptsz(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                  size_t sharedMem, cudaStream_t stream);

// api_names.h comes first: it maps the names that the others declare.
#include "__heddle_host/api_names.h"

#include "__heddle_host/api_array.h"
#include "__heddle_host/api_device.h"
#include "__heddle_host/api_graph.h"
#include "__heddle_host/api_library.h"
#include "__heddle_host/api_memory.h"
#include "__heddle_host/api_stream.h"
#include "__heddle_host/newer/contexts.h"
#include "__heddle_host/newer/copies.h"
#include "__heddle_host/newer/logs.h"
#include "__heddle_host/newer/queries.h"

#undef HEDDLE_HOST_API
#undef HEDDLE_DEFAULT
#ifdef __cplusplus
}
#endif

#endif
