// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's device runtime: the functions of the runtime API that kernels may call, beside the host's
// of the same names (CUDA C++ Programming Guide, "Dynamic Parallelism", "API Reference").
#pragma once

// The device library (devicelib/device_runtime.cu) has the same functions for PTX and NVVM IR.
#include <__heddle/define.h>
#include <__heddle/device_calls.h>

#include <vector_types.h>

extern "C" __attribute__((device)) unsigned __heddle_device_call(unsigned function,
                                                                 void *arguments);

template <class Out>
static inline __attribute__((always_inline, device)) cudaError_t
__heddle_take(unsigned error, unsigned long long value, Out *out) {
  if (!error && out)
    *out = (Out)value;
  return (cudaError_t)error;
}

static inline __attribute__((always_inline, device)) cudaError_t
__heddle_ask(unsigned function, unsigned long long a = 0, unsigned long long b = 0,
             unsigned long long c = 0) {
  __heddle::SimpleCall call = {{a, b, c}};
  return (cudaError_t)__heddle_device_call(function, &call);
}

// ---- Errors: each thread has its own last one ----

__HEDDLE_DEVICE__ cudaError_t cudaGetLastError() {
  return __heddle_ask(__heddle::device_call_get_last_error);
}
__HEDDLE_DEVICE__ cudaError_t cudaPeekAtLastError() {
  return __heddle_ask(__heddle::device_call_peek_at_last_error);
}
__HEDDLE_DEVICE__ const char *cudaGetErrorString(cudaError_t error) {
  __heddle::SimpleCall call = {{(unsigned long long)error, 0}};
  __heddle_device_call(__heddle::device_call_error_text, &call);
  return (const char *)call.values[2];
}
__HEDDLE_DEVICE__ const char *cudaGetErrorName(cudaError_t error) {
  __heddle::SimpleCall call = {{(unsigned long long)error, 1}};
  __heddle_device_call(__heddle::device_call_error_text, &call);
  return (const char *)call.values[2];
}

// ---- The device ----

// Programmatic dependent launches (CUDA guide, "Programmatic Dependent Launch and
// Synchronization"). A grid begins when the one before it in its stream has ended, so there is
// nothing left to wait for.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__HEDDLE_DEVICE__ void cudaGridDependencySynchronize() {}
__HEDDLE_DEVICE__ void cudaTriggerProgrammaticLaunchCompletion() {}
#endif

__HEDDLE_DEVICE__ cudaError_t cudaGetDevice(int *device) {
  __heddle::SimpleCall call = {};
  const unsigned error = __heddle_device_call(__heddle::device_call_get_device, &call);
  return __heddle_take(error, call.values[0], device);
}
__HEDDLE_DEVICE__ cudaError_t cudaGetDeviceCount(int *count) {
  __heddle::SimpleCall call = {};
  const unsigned error = __heddle_device_call(__heddle::device_call_get_device_count, &call);
  return __heddle_take(error, call.values[0], count);
}
__HEDDLE_DEVICE__ cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute,
                                                     int device) {
  __heddle::SimpleCall call = {{(unsigned long long)attribute, (unsigned)device}};
  const unsigned error = __heddle_device_call(__heddle::device_call_get_attribute, &call);
  return __heddle_take(error, call.values[2], value);
}
__HEDDLE_DEVICE__ cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  __heddle::SimpleCall call = {{(unsigned long long)limit}};
  const unsigned error = __heddle_device_call(__heddle::device_call_get_limit, &call);
  return __heddle_take(error, call.values[1], value);
}
__HEDDLE_DEVICE__ cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
  __heddle::SimpleCall call = {};
  const unsigned error = __heddle_device_call(__heddle::device_call_get_cache_config, &call);
  return __heddle_take(error, call.values[0], config);
}
__HEDDLE_DEVICE__ cudaError_t cudaRuntimeGetVersion(int *version) {
  return __heddle_take(0, HEDDLE_CUDA_VERSION, version);
}

// ---- Streams and events ----

__HEDDLE_DEVICE__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  __heddle::SimpleCall call = {{flags}};
  const unsigned error = __heddle_device_call(__heddle::device_call_stream_create, &call);
  return __heddle_take(error, call.values[1], stream);
}
__HEDDLE_DEVICE__ cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return __heddle_ask(__heddle::device_call_stream_destroy, (unsigned long long)stream);
}
__HEDDLE_DEVICE__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                                  unsigned flags) {
  return __heddle_ask(__heddle::device_call_stream_wait_event, (unsigned long long)stream,
                      (unsigned long long)event, flags);
}
__HEDDLE_DEVICE__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  __heddle::SimpleCall call = {{flags}};
  const unsigned error = __heddle_device_call(__heddle::device_call_event_create, &call);
  return __heddle_take(error, call.values[1], event);
}
__HEDDLE_DEVICE__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return __heddle_ask(__heddle::device_call_event_record, (unsigned long long)event,
                      (unsigned long long)stream);
}
__HEDDLE_DEVICE__ cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return __heddle_ask(__heddle::device_call_event_destroy, (unsigned long long)event);
}

#if __CUDA_ARCH__ < 900 && defined(CUDA_FORCE_CDP1_IF_SUPPORTED)
// Waits for what the block has launched: "CUDA Dynamic Parallelism (CDP1)".
__HEDDLE_DEVICE__ cudaError_t cudaDeviceSynchronize() {
  return __heddle_ask(__heddle::device_call_synchronize);
}
#else
// Not defined: a message says why (module/passes/check.cpp).
extern "C" __attribute__((device)) cudaError_t cudaDeviceSynchronize();
#endif

// ---- Memory ----

__HEDDLE_DEVICE__ cudaError_t cudaMalloc(void **memory, size_t bytes) {
  __heddle::SimpleCall call = {{bytes}};
  const unsigned error = __heddle_device_call(__heddle::device_call_malloc, &call);
  return __heddle_take(error, call.values[1], memory);
}
__HEDDLE_DEVICE__ cudaError_t cudaFree(void *memory) {
  return __heddle_ask(__heddle::device_call_free, (unsigned long long)memory);
}
#ifndef __HEDDLE_DEVICE_LIBRARY__
template <class T> __HEDDLE_DEVICE__ cudaError_t cudaMalloc(T **memory, size_t bytes) {
  return cudaMalloc((void **)memory, bytes);
}
#endif

// Copies and fills are done at once, by the thread that asks for them.
__HEDDLE_DEVICE__ cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                                size_t from_pitch, size_t width, size_t height,
                                                cudaMemcpyKind kind, cudaStream_t stream) {
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return __heddle_ask(__heddle::device_call_fail, cudaErrorInvalidMemcpyDirection);
  if (const cudaError_t error =
          __heddle_ask(__heddle::device_call_check_stream, (unsigned long long)stream))
    return error;
  for (size_t row = 0; row < height; ++row)
    __builtin_memmove((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width);
  return cudaSuccess;
}
__HEDDLE_DEVICE__ cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                              cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}
__HEDDLE_DEVICE__ cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width,
                                                size_t height, cudaStream_t stream) {
  if (const cudaError_t error =
          __heddle_ask(__heddle::device_call_check_stream, (unsigned long long)stream))
    return error;
  for (size_t row = 0; row < height; ++row)
    __builtin_memset((char *)to + row * pitch, value, width);
  return cudaSuccess;
}
__HEDDLE_DEVICE__ cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes,
                                              cudaStream_t stream) {
  return cudaMemset2DAsync(to, bytes, value, bytes, 1, stream);
}
__HEDDLE_DEVICE__ cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                                                cudaStream_t stream) {
  for (size_t slice = 0; slice < extent.depth; ++slice)
    if (const cudaError_t error =
            cudaMemset2DAsync((char *)to.ptr + slice * to.pitch * to.ysize, to.pitch, value,
                              extent.width, extent.height, stream))
      return error;
  return cudaSuccess;
}
__HEDDLE_DEVICE__ cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *copy,
                                                cudaStream_t stream) {
  if (copy->srcArray || copy->dstArray)
    return __heddle_ask(__heddle::device_call_fail, cudaErrorInvalidValue);
  const auto start = [](const cudaPitchedPtr &memory, const cudaPos &at, size_t slice) {
    return (char *)memory.ptr + at.x + memory.pitch * (at.y + memory.ysize * (at.z + slice));
  };
  for (size_t slice = 0; slice < copy->extent.depth; ++slice)
    if (const cudaError_t error =
            cudaMemcpy2DAsync(start(copy->dstPtr, copy->dstPos, slice), copy->dstPtr.pitch,
                              start(copy->srcPtr, copy->srcPos, slice), copy->srcPtr.pitch,
                              copy->extent.width, copy->extent.height, copy->kind, stream))
      return error;
  return cudaSuccess;
}

// ---- Graphs (CUDA C++ Programming Guide, "Device Graph Launch") ----

__HEDDLE_DEVICE__ cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  return __heddle_ask(__heddle::device_call_graph_launch, (unsigned long long)graph,
                      (unsigned long long)stream);
}
__HEDDLE_DEVICE__ cudaGraphExec_t cudaGetCurrentGraphExec() {
  __heddle::SimpleCall call = {};
  __heddle_device_call(__heddle::device_call_current_graph, &call);
  return (cudaGraphExec_t)call.values[0];
}

// A kernel's node that was made for it (cudaLaunchAttributeDeviceUpdatableKernelNode) is changed
// for the next launch of its graph, or for this one, if the node comes behind the calling kernel.
__HEDDLE_DEVICE__ cudaError_t
cudaGraphKernelNodeUpdatesApply(const cudaGraphKernelNodeUpdate *updates, size_t updateCount) {
  return __heddle_ask(__heddle::device_call_update_nodes, (unsigned long long)updates, updateCount);
}
__HEDDLE_DEVICE__ cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t node, size_t offset,
                                                          const void *value, size_t size) {
  cudaGraphKernelNodeUpdate update = {node, cudaGraphKernelNodeFieldParam, {}};
  update.updateData.param = {value, offset, size};
  return cudaGraphKernelNodeUpdatesApply(&update, 1);
}
__HEDDLE_DEVICE__ cudaError_t cudaGraphKernelNodeSetEnabled(cudaGraphDeviceNode_t node,
                                                            bool enable) {
  cudaGraphKernelNodeUpdate update = {node, cudaGraphKernelNodeFieldEnabled, {}};
  update.updateData.isEnabled = enable;
  return cudaGraphKernelNodeUpdatesApply(&update, 1);
}
__HEDDLE_DEVICE__ cudaError_t cudaGraphKernelNodeSetGridDim(cudaGraphDeviceNode_t node,
                                                            dim3 gridDim) {
  cudaGraphKernelNodeUpdate update = {node, cudaGraphKernelNodeFieldGridDim, {}};
  update.updateData.gridDim = gridDim;
  return cudaGraphKernelNodeUpdatesApply(&update, 1);
}
#ifndef __HEDDLE_DEVICE_LIBRARY__
template <class T>
__HEDDLE_DEVICE__ cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t node, size_t offset,
                                                          const T &value) {
  return cudaGraphKernelNodeSetParam(node, offset, (const void *)&value, sizeof(T));
}
#endif

// ---- Kernels ----

__HEDDLE_DEVICE__ cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes,
                                                    const void *kernel) {
  cudaFuncAttributes found;
  const cudaError_t error = __heddle_ask(__heddle::device_call_function_attributes,
                                         (unsigned long long)kernel, (unsigned long long)&found);
  if (!error)
    *attributes = found;
  return error;
}
__HEDDLE_DEVICE__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                                            const void *kernel,
                                                                            int threads,
                                                                            size_t shared_bytes) {
  __heddle::SimpleCall call = {{(unsigned long long)kernel, (unsigned)threads, shared_bytes}};
  const unsigned error = __heddle_device_call(__heddle::device_call_active_blocks, &call);
  return __heddle_take(error, call.values[3], blocks);
}
#ifndef __HEDDLE_DEVICE_LIBRARY__
template <class T>
__HEDDLE_DEVICE__ cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel) {
  return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T>
__HEDDLE_DEVICE__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel,
                                                                            int threads,
                                                                            size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
                                                       shared_bytes);
}
#endif

// What `<<<…>>>` is made of by nvcc, for programs that do it themselves.
__HEDDLE_DEVICE__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes) {
  (void)alignment; // all are aligned for anything
  __heddle::LaunchCall call = {};
  call.shared_bytes = bytes;
  if (__heddle_device_call(__heddle::device_call_parameter_buffer, &call))
    return nullptr;
  return (void *)call.stream;
}
__HEDDLE_DEVICE__ void *cudaGetParameterBufferV2(void *kernel, dim3 grid, dim3 block,
                                                 unsigned shared_bytes) {
  __heddle::LaunchCall call = {(unsigned long long)kernel,
                               {grid.x, grid.y, grid.z},
                               {block.x, block.y, block.z},
                               shared_bytes};
  if (__heddle_device_call(__heddle::device_call_parameter_buffer, &call))
    return nullptr;
  return (void *)call.stream;
}
__HEDDLE_DEVICE__ cudaError_t cudaLaunchDevice(void *kernel, void *parameters, dim3 grid,
                                               dim3 block, unsigned shared_bytes,
                                               cudaStream_t stream) {
  __heddle::LaunchCall call = {(unsigned long long)kernel,  {grid.x, grid.y, grid.z},
                               {block.x, block.y, block.z}, shared_bytes,
                               (unsigned long long)stream,  parameters};
  return (cudaError_t)__heddle_device_call(__heddle::device_call_launch_buffer, &call);
}
__HEDDLE_DEVICE__ cudaError_t cudaLaunchDeviceV2(void *parameters, cudaStream_t stream) {
  __heddle::LaunchCall call = {};
  call.stream = (unsigned long long)stream;
  call.parameters = parameters;
  return (cudaError_t)__heddle_device_call(__heddle::device_call_launch_buffer, &call);
}
