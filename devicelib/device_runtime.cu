// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What PTX and NVVM IR call to launch kernels from kernels and the like, and elsewhere is in
// libcudadevrt.a (CUDA C++ Programming Guide, "PTX Support of the Device Runtime"): the functions
// that include/__heddle/device_runtime.h has for sources, under the names that nvcc gives them.

#define __HEDDLE_DEVICE_LIBRARY__
#include <__heddle/graph.h>
#include <driver_types.h>

#include <__heddle/device_runtime.h>

// %current_graph_exec.
__HEDDLE_DEVICE__ unsigned long long __heddle_current_graph_exec() {
  return (unsigned long long)cudaGetCurrentGraphExec();
}

__HEDDLE_DEVICE__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *kernel, int threads, size_t shared_bytes, unsigned flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared_bytes);
}

// nvcc 12 and 13 call a function by its name with __cudaCDP2, and with _ptsz if the default stream
// is the thread's: in a kernel, which has no such stream, that is the same.
#define CALLED(type, name, parameters, arguments)                                                  \
  __HEDDLE_DEVICE__ type __cudaCDP2##name parameters { return cuda##name arguments; }
#define CALLED_IN_STREAM(type, name, parameters, arguments)                                        \
  CALLED(type, name, parameters, arguments)                                                        \
  __HEDDLE_DEVICE__ type __cudaCDP2##name##_ptsz parameters { return cuda##name arguments; }       \
  __HEDDLE_DEVICE__ type cuda##name##_ptsz parameters { return cuda##name arguments; }

CALLED(cudaError_t, GetLastError, (), ())
CALLED(cudaError_t, PeekAtLastError, (), ())
CALLED(const char *, GetErrorString, (cudaError_t error), (error))
CALLED(const char *, GetErrorName, (cudaError_t error), (error))
CALLED(cudaError_t, GetDevice, (int *device), (device))
CALLED(cudaError_t, GetDeviceCount, (int *count), (count))
CALLED(cudaError_t, DeviceGetAttribute, (int *value, cudaDeviceAttr attribute, int device),
       (value, attribute, device))
CALLED(cudaError_t, DeviceGetLimit, (size_t *value, cudaLimit limit), (value, limit))
CALLED(cudaError_t, DeviceGetCacheConfig, (cudaFuncCache * config), (config))
CALLED(cudaError_t, RuntimeGetVersion, (int *version), (version))
CALLED(cudaError_t, StreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), (stream, flags))
CALLED(cudaError_t, StreamDestroy, (cudaStream_t stream), (stream))
CALLED_IN_STREAM(cudaError_t, StreamWaitEvent,
                 (cudaStream_t stream, cudaEvent_t event, unsigned flags), (stream, event, flags))
CALLED(cudaError_t, EventCreateWithFlags, (cudaEvent_t * event, unsigned flags), (event, flags))
CALLED_IN_STREAM(cudaError_t, EventRecord, (cudaEvent_t event, cudaStream_t stream),
                 (event, stream))
CALLED(cudaError_t, EventDestroy, (cudaEvent_t event), (event))
CALLED(cudaError_t, Malloc, (void **memory, size_t bytes), (memory, bytes))
CALLED(cudaError_t, Free, (void *memory), (memory))
CALLED_IN_STREAM(cudaError_t, MemcpyAsync,
                 (void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                  cudaStream_t stream),
                 (to, from, bytes, kind, stream))
CALLED_IN_STREAM(cudaError_t, Memcpy2DAsync,
                 (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                  size_t height, cudaMemcpyKind kind, cudaStream_t stream),
                 (to, to_pitch, from, from_pitch, width, height, kind, stream))
CALLED_IN_STREAM(cudaError_t, Memcpy3DAsync, (const cudaMemcpy3DParms *copy, cudaStream_t stream),
                 (copy, stream))
CALLED_IN_STREAM(cudaError_t, MemsetAsync, (void *to, int value, size_t bytes, cudaStream_t stream),
                 (to, value, bytes, stream))
CALLED_IN_STREAM(cudaError_t, Memset2DAsync,
                 (void *to, size_t pitch, int value, size_t width, size_t height,
                  cudaStream_t stream),
                 (to, pitch, value, width, height, stream))
CALLED_IN_STREAM(cudaError_t, Memset3DAsync,
                 (cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream),
                 (to, value, extent, stream))
CALLED(cudaError_t, FuncGetAttributes, (cudaFuncAttributes * attributes, const void *kernel),
       (attributes, kernel))
CALLED(cudaError_t, OccupancyMaxActiveBlocksPerMultiprocessor,
       (int *blocks, const void *kernel, int threads, size_t shared_bytes),
       (blocks, kernel, threads, shared_bytes))
CALLED(cudaError_t, OccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
       (int *blocks, const void *kernel, int threads, size_t shared_bytes, unsigned flags),
       (blocks, kernel, threads, shared_bytes, flags))
CALLED(void *, GetParameterBuffer, (size_t alignment, size_t bytes), (alignment, bytes))
CALLED(void *, GetParameterBufferV2, (void *kernel, dim3 grid, dim3 block, unsigned shared_bytes),
       (kernel, grid, block, shared_bytes))
CALLED_IN_STREAM(cudaError_t, LaunchDevice,
                 (void *kernel, void *parameters, dim3 grid, dim3 block, unsigned shared_bytes,
                  cudaStream_t stream),
                 (kernel, parameters, grid, block, shared_bytes, stream))
CALLED_IN_STREAM(cudaError_t, LaunchDeviceV2, (void *parameters, cudaStream_t stream),
                 (parameters, stream))
