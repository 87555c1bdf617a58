// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Execution contexts of the runtime: a device, and parts of it.
// hardware: skip needs CUDA 13.1
#include "check.h"

__global__ void add(int *data, int value) { atomicAdd(data, value); }

unsigned multiprocessorsOf(cudaExecutionContext_t context) {
  cudaDevResource resource;
  CHECK_CUDA(cudaExecutionCtxGetDevResource(context, &resource, cudaDevResourceTypeSm));
  return resource.sm.smCount;
}

cudaExecutionContext_t part(unsigned &size) {
  cudaDevResource all, group, rest;
  CHECK_CUDA(cudaDeviceGetDevResource(0, &all, cudaDevResourceTypeSm));
  unsigned count = 1;
  CHECK_CUDA(cudaDevSmResourceSplitByCount(&group, &count, &all, &rest, 0, 8));
  CHECK_EQ(count, 1u);
  size = group.sm.smCount;
  CHECK_EQ(size + rest.sm.smCount, all.sm.smCount);

  cudaDevResource again;
  CHECK_EQ(cudaDevSmResourceSplitByCount(&again, &count, &group, nullptr, 0, 2),
           cudaErrorInvalidResourceConfiguration);
  cudaDevResource both[2] = {all, group};
  cudaDevResourceDesc_t description;
  CHECK_EQ(cudaDevResourceGenerateDesc(&description, both, 2),
           cudaErrorInvalidResourceConfiguration);
  CHECK_CUDA(cudaDevResourceGenerateDesc(&description, &group, 1));
  cudaExecutionContext_t context;
  CHECK_CUDA(cudaGreenCtxCreate(&context, description, 0, 0));
  CHECK_EQ(cudaGreenCtxCreate(&context, description, 0, 1), cudaErrorInvalidValue);
  return context;
}

/// Groups of different sizes, the last of them what is left.
void groups() {
  cudaDevResource all, parts[2], rest;
  CHECK_CUDA(cudaDeviceGetDevResource(0, &all, cudaDevResourceTypeSm));
  cudaDevSmResourceGroupParams wanted[2] = {};
  wanted[0].smCount = 8;
  wanted[0].coscheduledSmCount = 2;
  wanted[1].coscheduledSmCount = 2;
  wanted[1].flags = cudaDevSmResourceGroupBackfill;
  CHECK_CUDA(cudaDevSmResourceSplit(nullptr, 2, &all, nullptr, 0, wanted));
  CHECK_EQ(wanted[1].smCount, all.sm.smCount - 8);
  wanted[1].smCount = 0;
  CHECK_CUDA(cudaDevSmResourceSplit(parts, 2, &all, &rest, 0, wanted));
  CHECK_EQ(parts[0].sm.smCount, 8u);
  CHECK_EQ(parts[1].sm.smCount, all.sm.smCount - 8);
  CHECK_EQ(rest.type, cudaDevResourceTypeInvalid);

  // One, and another of what is left.
  CHECK_CUDA(cudaDevSmResourceSplit(parts, 1, &all, &rest, 0, wanted));
  CHECK_EQ(rest.sm.smCount, all.sm.smCount - 8);
  CHECK_CUDA(cudaDevSmResourceSplit(parts + 1, 1, &rest, &rest, 0, wanted));
  CHECK_EQ(parts[1].sm.smCount, 8u);
  CHECK_EQ(rest.sm.smCount, all.sm.smCount - 16);
  cudaDevResourceDesc_t description;
  cudaExecutionContext_t context;
  cudaStream_t stream;
  CHECK_CUDA(cudaDevResourceGenerateDesc(&description, parts, 1));
  CHECK_CUDA(cudaGreenCtxCreate(&context, description, 0, 0));
  CHECK_CUDA(cudaExecutionCtxStreamCreate(&stream, context, cudaStreamNonBlocking, 0));
  CHECK_CUDA(cudaStreamGetDevResource(stream, &rest, cudaDevResourceTypeSm));
  CHECK_EQ(rest.sm.smCount, 8u);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaExecutionCtxDestroy(context));

  wanted[0].smCount = 7; // odd
  CHECK_EQ(cudaDevSmResourceSplit(parts, 1, &all, &rest, 0, wanted), cudaErrorInvalidValue);
  wanted[0].smCount = all.sm.smCount;
  wanted[1].smCount = 2; // nothing is left for it
  wanted[1].flags = 0;
  CHECK_EQ(cudaDevSmResourceSplit(parts, 2, &all, &rest, 0, wanted),
           cudaErrorInvalidResourceConfiguration);
  CHECK_EQ(cudaDevSmResourceSplit(parts, 1, &all, &rest, 1, wanted), cudaErrorInvalidValue);
  CHECK_EQ(cudaDevSmResourceSplit(parts, 0, &all, &rest, 0, wanted), cudaErrorInvalidValue);
}

int main() {
  groups();
  cudaExecutionContext_t whole;
  CHECK_CUDA(cudaDeviceGetExecutionCtx(&whole, 0));
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  CHECK_EQ(int(multiprocessorsOf(whole)), properties.multiProcessorCount);

  unsigned size = 0;
  const cudaExecutionContext_t green = part(size);
  CHECK_EQ(multiprocessorsOf(green), size);
  unsigned long long id = 0, of_whole = 0;
  CHECK_CUDA(cudaExecutionCtxGetId(green, &id));
  CHECK_CUDA(cudaExecutionCtxGetId(whole, &of_whole));
  CHECK(id != of_whole);
  int device = -1;
  CHECK_CUDA(cudaExecutionCtxGetDevice(&device, green));
  CHECK_EQ(device, 0);

  cudaStream_t stream;
  CHECK_CUDA(cudaExecutionCtxStreamCreate(&stream, green, cudaStreamDefault, 0));
  unsigned flags = 0;
  CHECK_CUDA(cudaStreamGetFlags(stream, &flags));
  CHECK_EQ(flags, unsigned(cudaStreamNonBlocking));
  cudaDevResource of_stream;
  CHECK_CUDA(cudaStreamGetDevResource(stream, &of_stream, cudaDevResourceTypeSm));
  CHECK_EQ(of_stream.sm.smCount, size);
  CHECK_EQ(cudaStreamGetDevResource(stream, &of_stream, cudaDevResourceTypeWorkqueue),
           cudaErrorInvalidResourceType);

  cudaGetLastError(); // of what was refused
  DeviceBuffer<int> sum(1);
  cudaEvent_t event;
  CHECK_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  for (int i = 0; i < 10; ++i)
    add<<<1, 32, 0, stream>>>(sum.data(), 1);
  CHECK_CUDA(cudaExecutionCtxRecordEvent(green, event));
  CHECK_CUDA(cudaEventSynchronize(event));
  CHECK_EQ(cudaStreamQuery(stream), cudaSuccess);
  CHECK_CUDA(cudaExecutionCtxWaitEvent(green, event));
  add<<<1, 32, 0, stream>>>(sum.data(), 1);
  CHECK_CUDA(cudaExecutionCtxSynchronize(green));
  CHECK_EQ(sum.download()[0], 352);

  // Its streams can only be destroyed afterwards.
  CHECK_CUDA(cudaExecutionCtxDestroy(green));
  CHECK_EQ(cudaStreamSynchronize(stream), cudaErrorStreamDetached);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_EQ(cudaExecutionCtxSynchronize(green), cudaErrorInvalidValue);
  CHECK_CUDA(cudaEventDestroy(event));
  RETURN_RESULT();
}
