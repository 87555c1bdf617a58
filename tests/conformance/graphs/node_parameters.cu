// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lcuda
// What each type of node does, told as one structure; it makes nodes that do the same.
// hardware: skip needs CUDA 13.2
#include "conditional.h"

#include <cuda.h>

namespace {

__global__ void add(int *to, int what) { atomicAdd(to, what); }
void countUp(void *at) { ++*static_cast<int *>(at); }

cudaGraphNodeParams parametersOf(cudaGraphNode_t node, cudaGraphNodeType type) {
  cudaGraphNodeParams told = {};
  memset(static_cast<void *>(&told), 0xee, sizeof told);
  CHECK_CUDA(cudaGraphNodeGetParams(node, &told));
  CHECK_EQ(told.type, type);
  CHECK(told.reserved0[0] == 0 && told.reserved0[2] == 0 && told.reserved2 == 0);
  return told;
}

void testWork() {
  cudaGraph_t graph = newGraph(), second = newGraph();
  int *sums = nullptr, called = 0;
  CHECK_CUDA(cudaMallocManaged(&sums, 4 * sizeof(int)));
  memset(sums, 0, 4 * sizeof(int));
  int what = 5;
  void *arguments[] = {&sums, &what};
  cudaKernelNodeParams kernel{
      reinterpret_cast<void *>(add), dim3(2, 3), dim3(4), 0, arguments, nullptr};
  cudaMemsetParams fill{sums + 2, 0, 7, 4, 1, 1};
  cudaHostNodeParams host{countUp, &called};
  cudaGraphNode_t nodes[4];
  CHECK_CUDA(cudaGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &kernel));
  CHECK_CUDA(cudaGraphAddMemsetNode(&nodes[1], graph, nullptr, 0, &fill));
  CHECK_CUDA(cudaGraphAddHostNode(&nodes[2], graph, nullptr, 0, &host));
  CHECK_CUDA(cudaGraphAddMemcpyNode1D(&nodes[3], graph, &nodes[1], 1, sums + 3, sums + 2, 4,
                                      cudaMemcpyDefault));
  what = 99; // the node has its own copy

  cudaGraphNodeParams told[4] = {parametersOf(nodes[0], cudaGraphNodeTypeKernel),
                                 parametersOf(nodes[1], cudaGraphNodeTypeMemset),
                                 parametersOf(nodes[2], cudaGraphNodeTypeHost),
                                 parametersOf(nodes[3], cudaGraphNodeTypeMemcpy)};
  CHECK(told[0].kernel.gridDim.x == 2 && told[0].kernel.gridDim.y == 3 &&
        told[0].kernel.blockDim.x == 4);
  CHECK_EQ(*static_cast<int *>(told[0].kernel.kernelParams[1]), 5);
  CHECK(told[1].memset.dst == sums + 2 && told[1].memset.value == 7 &&
        told[1].memset.elementSize == 4);
  CHECK(told[2].host.fn == countUp && told[2].host.userData == &called);
  // What was told makes nodes of another graph.
  cudaGraphNode_t copies[4];
  CHECK_CUDA(addNode(&copies[0], second, {}, &told[0]));
  CHECK_CUDA(addNode(&copies[1], second, {}, &told[1]));
  CHECK_CUDA(addNode(&copies[2], second, {}, &told[2]));
  CHECK_CUDA(addNode(&copies[3], second, {copies[1]}, &told[3]));
  Executable(second).run();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(sums[0], 2 * 3 * 4 * 5);
  CHECK(sums[2] == 7 && sums[3] == 7);
  CHECK_EQ(called, 1);

  // The driver's structures.
  CUgraphNodeParams driver;
  CHECK_EQ(cuGraphNodeGetParams(nodes[0], &driver), CUDA_SUCCESS);
  CHECK(driver.type == CU_GRAPH_NODE_TYPE_KERNEL && driver.kernel.gridDimY == 3 &&
        driver.kernel.blockDimX == 4);
  CHECK_EQ(cuGraphNodeGetParams(nodes[3], &driver), CUDA_SUCCESS);
  CHECK(driver.type == CU_GRAPH_NODE_TYPE_MEMCPY && driver.memcpy.copyParams.WidthInBytes == 4);
  CHECK_EQ(cuGraphNodeGetParams(nodes[1], &driver), CUDA_SUCCESS);
  CHECK(driver.type == CU_GRAPH_NODE_TYPE_MEMSET && driver.memset.value == 7);
  CHECK_EQ(cuGraphNodeGetParams(nullptr, &driver), CUDA_ERROR_INVALID_VALUE);
  CHECK_CUDA(cudaGraphDestroy(graph));
  CHECK_CUDA(cudaGraphDestroy(second));
}

void testOthers() {
  cudaGraph_t graph = newGraph(), child = newGraph();
  cudaEvent_t event;
  CHECK_CUDA(cudaEventCreate(&event));
  cudaGraphNode_t node, inner;
  CHECK_CUDA(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
  parametersOf(node, cudaGraphNodeTypeEmpty);
  CHECK_CUDA(cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, event));
  CHECK_EQ(parametersOf(node, cudaGraphNodeTypeEventRecord).eventRecord.event, event);
  CHECK_CUDA(cudaGraphAddEventWaitNode(&node, graph, nullptr, 0, event));
  CHECK_EQ(parametersOf(node, cudaGraphNodeTypeWaitEvent).eventWait.event, event);

  CHECK_CUDA(cudaGraphAddEmptyNode(&inner, child, nullptr, 0));
  CHECK_CUDA(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
  size_t count = 0;
  CHECK_CUDA(
      cudaGraphGetNodes(parametersOf(node, cudaGraphNodeTypeGraph).graph.graph, nullptr, &count));
  CHECK_EQ(count, 1u);

  cudaMemAllocNodeParams allocation = {};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location.type = cudaMemLocationTypeDevice;
  allocation.bytesize = 1000;
  cudaGraphNode_t allocated, freed;
  CHECK_CUDA(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &allocation));
  CHECK_CUDA(cudaGraphAddMemFreeNode(&freed, graph, &allocated, 1, allocation.dptr));
  const cudaGraphNodeParams told = parametersOf(allocated, cudaGraphNodeTypeMemAlloc);
  CHECK(told.alloc.dptr == allocation.dptr && told.alloc.bytesize == 1000);
  CHECK_EQ(parametersOf(freed, cudaGraphNodeTypeMemFree).free.dptr, allocation.dptr);
  CHECK_CUDA(cudaGraphDestroy(graph));
  CHECK_CUDA(cudaGraphDestroy(child));
  CHECK_CUDA(cudaEventDestroy(event));
}

void testConditional() {
  cudaGraph_t graph = newGraph();
  const cudaGraphConditionalHandle condition = newCondition(graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams made = conditionalParams(condition, cudaGraphCondTypeWhile);
  cudaGraphNode_t node;
  CHECK_CUDA(addNode(&node, graph, {}, &made));
  const cudaGraphNodeParams told = parametersOf(node, cudaGraphNodeTypeConditional);
  CHECK(told.conditional.handle == condition && told.conditional.type == cudaGraphCondTypeWhile &&
        told.conditional.size == 1);
  CHECK_EQ(told.conditional.phGraph_out[0], made.conditional.phGraph_out[0]);
  CHECK_EQ(cudaGraphNodeGetParams(node, nullptr), cudaErrorInvalidValue);
  cudaGraphNodeParams none = {};
  CHECK_EQ(cudaGraphNodeGetParams(nullptr, &none), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphDestroy(graph));
}

} // namespace

int main() {
  testWork();
  testOthers();
  testConditional();
  RETURN_RESULT();
}
