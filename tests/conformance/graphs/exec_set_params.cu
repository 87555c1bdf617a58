// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of an executable's nodes change for launches to come, not for those under way; the
// graph keeps its own.
#include "graphs.h"

__global__ void addTwice(int *sum, int value) { atomicAdd(sum, 2 * value); }

int main() {
  DeviceBuffer<int> sum(1), copy(1);
  std::vector<int> host = {0, 0};
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t kernel = addKernel(graph, {}, addTo, sum.data(), 1);
  cudaGraphNode_t to_host =
      addCopy(graph, {kernel}, &host[0], sum.data(), 4, cudaMemcpyDeviceToHost);
  cudaGraphNode_t fill = nullptr;
  cudaMemsetParams params = {};
  params.dst = copy.data();
  params.value = 5;
  params.elementSize = 4;
  params.width = params.height = 1;
  CHECK_CUDA(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &params));
  Executable exec(graph);
  exec.run();
  CHECK_EQ(host[0], 1);

  int *pointer = sum.data(), value = 100;
  void *arguments[] = {&pointer, &value};
  cudaKernelNodeParams other = kernelParams(addTo, arguments, 2);
  CHECK_CUDA(cudaGraphLaunch(exec, nullptr));
  CHECK_CUDA(cudaGraphExecKernelNodeSetParams(exec, kernel, &other));
  CHECK_CUDA(cudaGraphExecMemcpyNodeSetParams1D(exec, to_host, &host[1], sum.data(), 4,
                                                cudaMemcpyDeviceToHost));
  params.value = 6;
  CHECK_CUDA(cudaGraphExecMemsetNodeSetParams(exec, fill, &params));
  exec.run();
  CHECK_EQ(host[0], 2);
  CHECK_EQ(host[1], 202);
  CHECK_EQ(copy.download()[0], 6);

  // Another kernel, elements of another size, but no copy between other memories.
  other.func = reinterpret_cast<void *>(addTwice);
  other.gridDim = dim3(1);
  CHECK_CUDA(cudaGraphExecKernelNodeSetParams(exec, kernel, &other));
  params.elementSize = 1;
  CHECK_CUDA(cudaGraphExecMemsetNodeSetParams(exec, fill, &params));
  exec.run();
  CHECK_EQ(host[1], 402);
  params.height = 2;
  params.pitch = 4;
  CHECK_EQ(taken(cudaGraphExecMemsetNodeSetParams(exec, fill, &params)), cudaErrorInvalidValue);
  CHECK_EQ(taken(cudaGraphExecMemcpyNodeSetParams1D(exec, to_host, copy.data(), sum.data(), 4,
                                                    cudaMemcpyDeviceToDevice)),
           cudaErrorInvalidValue);
  CHECK_EQ(taken(cudaGraphExecMemcpyNodeSetParams1D(exec, to_host, &host[1], sum.data(), 4,
                                                    cudaMemcpyDefault)),
           cudaErrorInvalidValue);

  CHECK_EQ(taken(cudaGraphExecKernelNodeSetParams(exec, fill, &other)), cudaErrorInvalidValue);
  other.blockDim = dim3(4096);
  CHECK_EQ(taken(cudaGraphExecKernelNodeSetParams(exec, kernel, &other)), cudaErrorInvalidValue);

  Executable fresh(graph); // as the graph says
  fresh.run();
  CHECK_EQ(host[0], 403);
  CHECK_EQ(copy.download()[0], 5);
  RETURN_RESULT();
}
