// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnppc: version, device and stream, and what the other libraries share.
#pragma GCC visibility push(default)
#include <nppcore.h>
#pragma GCC visibility pop

#include "call.h"

#include <atomic>
#include <cstring>

namespace {

std::atomic<cudaStream_t> current_stream{nullptr};

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  return cudaGetDevice(&device) || cudaDeviceGetAttribute(&value, which, device) ? -1 : value;
}

// The device that the stream belongs to is the one of the thread, as for streams of the runtime
// API.
cudaError_t describe(NppStreamContext &context) {
  context = {};
  context.hStream = current_stream;
  int shared = 0;
  const struct {
    cudaDeviceAttr which;
    int *to;
  } wanted[] = {
      {cudaDevAttrMultiProcessorCount, &context.nMultiProcessorCount},
      {cudaDevAttrMaxThreadsPerMultiProcessor, &context.nMaxThreadsPerMultiProcessor},
      {cudaDevAttrMaxThreadsPerBlock, &context.nMaxThreadsPerBlock},
      {cudaDevAttrMaxSharedMemoryPerBlock, &shared},
      {cudaDevAttrComputeCapabilityMajor, &context.nCudaDevAttrComputeCapabilityMajor},
      {cudaDevAttrComputeCapabilityMinor, &context.nCudaDevAttrComputeCapabilityMinor},
  };
  if (const cudaError_t error = cudaGetDevice(&context.nCudaDeviceId))
    return error;
  for (const auto &[which, to] : wanted)
    if (const cudaError_t error = cudaDeviceGetAttribute(to, which, context.nCudaDeviceId))
      return error;
  context.nSharedMemPerBlock = shared;
  return cudaStreamGetFlags(context.hStream, &context.nStreamFlags);
}

} // namespace

NppGpuComputeCapability nppGetGpuComputeCapability() {
  return NppGpuComputeCapability(100 * attribute(cudaDevAttrComputeCapabilityMajor) +
                                 10 * attribute(cudaDevAttrComputeCapabilityMinor));
}

int nppGetGpuNumSMs() { return attribute(cudaDevAttrMultiProcessorCount); }
int nppGetMaxThreadsPerBlock() { return attribute(cudaDevAttrMaxThreadsPerBlock); }
int nppGetMaxThreadsPerSM() { return attribute(cudaDevAttrMaxThreadsPerMultiProcessor); }

int nppGetGpuDeviceProperties(int *pMaxThreadsPerSM, int *pMaxThreadsPerBlock, int *pNumberOfSMs) {
  const heddle::npp::Call call = {"nppGetGpuDeviceProperties", nullptr};
  if (const NppStatus status =
          heddle::npp::checkNotNull(call, {pMaxThreadsPerSM, pMaxThreadsPerBlock, pNumberOfSMs}))
    return status;
  *pMaxThreadsPerSM = nppGetMaxThreadsPerSM();
  *pMaxThreadsPerBlock = nppGetMaxThreadsPerBlock();
  *pNumberOfSMs = nppGetGpuNumSMs();
  return *pNumberOfSMs < 0 ? NPP_ERROR : NPP_SUCCESS;
}

const char *nppGetGpuName() {
  thread_local cudaDeviceProp properties;
  int device = 0;
  if (cudaGetDevice(&device) || cudaGetDeviceProperties(&properties, device))
    return "";
  return properties.name;
}

cudaStream_t nppGetStream() { return current_stream; }

NppStatus nppSetStream(cudaStream_t hStream) {
  current_stream = hStream;
  return NPP_SUCCESS;
}

NppStatus nppGetStreamContext(NppStreamContext *pNppStreamContext) {
  const heddle::npp::Call call = {"nppGetStreamContext", nullptr};
  if (const NppStatus status = heddle::npp::checkNotNull(call, {pNppStreamContext}))
    return status;
  return heddle::npp::finish(call, describe(*pNppStreamContext));
}

unsigned nppGetStreamNumSMs() { return nppGetGpuNumSMs(); }
unsigned nppGetStreamMaxThreadsPerSM() { return nppGetMaxThreadsPerSM(); }

namespace heddle::npp {

NppStatus checkNotNull(const Call &call, std::initializer_list<const void *> pointers) {
  for (const void *pointer : pointers)
    if (!pointer)
      return HEDDLE_NPP_REFUSE(call, NPP_NULL_POINTER_ERROR, "a pointer is null");
  return NPP_SUCCESS;
}

NppStatus checkImages(const Call &call, std::initializer_list<Checked> images, NppiSize size) {
  for (const Checked &image : images)
    if (!image.data)
      return HEDDLE_NPP_REFUSE(call, NPP_NULL_POINTER_ERROR, "an image's pointer is null");
  if (size.width < 0 || size.height < 0)
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR, "the region's width or height is negative");
  for (const Checked &image : images) {
    if (image.step <= 0)
      return HEDDLE_NPP_REFUSE(call, NPP_STEP_ERROR, "a step is not positive");
    if (image.step % image.size != 0)
      return HEDDLE_NPP_REFUSE(call, NPP_NOT_EVEN_STEP_ERROR,
                               "a step is no multiple of the element's size");
  }
  return size.width == 0 || size.height == 0 ? NPP_NO_OPERATION_WARNING : NPP_SUCCESS;
}

NppStatus finish(const Call &call, cudaError_t error) {
  if (error == cudaSuccess)
    return NPP_SUCCESS;
  if (error == cudaErrorMemoryAllocation)
    return HEDDLE_NPP_REFUSE(call, NPP_MEMORY_ALLOCATION_ERR, cudaGetErrorString(error));
  return HEDDLE_NPP_REFUSE(call, NPP_CUDA_KERNEL_EXECUTION_ERROR, cudaGetErrorString(error));
}

} // namespace heddle::npp
