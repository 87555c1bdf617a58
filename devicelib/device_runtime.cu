// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What PTX and NVVM IR call to launch kernels from kernels and the like, and elsewhere is in
// libcudadevrt.a (CUDA C++ Programming Guide, "PTX Support of the Device Runtime"). Sources have
// include/__heddle/device_runtime.h and graph.h.
#include "../include/__heddle/device_calls.h"
#include "common.h"

using namespace heddle;
using namespace __heddle;

namespace {

struct Dim3 {
  u32 x, y, z;
};

} // namespace

extern "C" {

__device__ u32 __heddle_device_call(u32 function, void *arguments);

__device__ void *cudaGetParameterBufferV2(void *kernel, Dim3 grid, Dim3 block, u32 shared_bytes) {
  LaunchCall call = {
      u64(kernel), {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared_bytes, 0, nullptr};
  return __heddle_device_call(device_call_parameter_buffer, &call) ? nullptr : (void *)call.stream;
}

__device__ u32 cudaLaunchDeviceV2(void *parameters, void *stream) {
  LaunchCall call = {0, {}, {}, 0, u64(stream), parameters};
  return __heddle_device_call(device_call_launch_buffer, &call);
}

__device__ void *cudaGetParameterBuffer(u64, u64 bytes) {
  LaunchCall call = {0, {}, {}, bytes, 0, nullptr};
  return __heddle_device_call(device_call_parameter_buffer, &call) ? nullptr : (void *)call.stream;
}

__device__ u32 cudaLaunchDevice(void *kernel, void *parameters, Dim3 grid, Dim3 block,
                                u32 shared_bytes, void *stream) {
  LaunchCall call = {
      u64(kernel), {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared_bytes, u64(stream),
      parameters};
  return __heddle_device_call(device_call_launch_buffer, &call);
}

// nvcc 12 calls them so.
__device__ void *__cudaCDP2GetParameterBufferV2(void *kernel, Dim3 grid, Dim3 block,
                                                u32 shared_bytes) {
  return cudaGetParameterBufferV2(kernel, grid, block, shared_bytes);
}
__device__ u32 __cudaCDP2LaunchDeviceV2(void *parameters, void *stream) {
  return cudaLaunchDeviceV2(parameters, stream);
}

__device__ u32 cudaGetLastError() {
  SimpleCall call = {};
  return __heddle_device_call(device_call_get_last_error, &call);
}
__device__ u32 cudaPeekAtLastError() {
  SimpleCall call = {};
  return __heddle_device_call(device_call_peek_at_last_error, &call);
}
__device__ u32 __cudaCDP2GetLastError() { return cudaGetLastError(); }
__device__ u32 __cudaCDP2PeekAtLastError() { return cudaPeekAtLastError(); }

// XLA's kernels set the conditions of their loops so. The handle is the value's address.
__device__ void cudaGraphSetConditional(u64 handle, u32 value) {
  *reinterpret_cast<volatile u32 *>(handle) = value;
}
}
