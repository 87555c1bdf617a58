// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory nodes in few lines.
#pragma once

#include "graphs.h"

inline cudaMemAllocNodeParams allocationOf(size_t bytes) {
  cudaMemAllocNodeParams params = {};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.poolProps.location.id = 0;
  params.bytesize = bytes;
  return params;
}

struct Allocated {
  cudaGraphNode_t node = nullptr;
  int *pointer = nullptr;
};

inline Allocated addAllocation(cudaGraph_t graph, const Nodes &before, size_t bytes) {
  Allocated result;
  cudaMemAllocNodeParams params = allocationOf(bytes);
  CHECK_CUDA(cudaGraphAddMemAllocNode(&result.node, graph, before.data(), before.size(), &params));
  result.pointer = static_cast<int *>(params.dptr);
  return result;
}

inline cudaGraphNode_t addFree(cudaGraph_t graph, const Nodes &before, void *pointer) {
  cudaGraphNode_t node = nullptr;
  CHECK_CUDA(cudaGraphAddMemFreeNode(&node, graph, before.data(), before.size(), pointer));
  return node;
}

inline unsigned long long memoryAttribute(cudaGraphMemAttributeType attribute) {
  unsigned long long value = 0;
  CHECK_CUDA(cudaDeviceGetGraphMemAttribute(0, attribute, &value));
  return value;
}
