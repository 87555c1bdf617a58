// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fault in a node is an error of the device, as one in any kernel is.
#include "graphs.h"

__global__ void trap() { __trap(); }

int main() {
  cudaGraph_t graph = newGraph();
  addKernel(graph, {}, trap);
  cudaGraphExec_t exec = nullptr;
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_CUDA(cudaGraphLaunch(exec, nullptr));
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  CHECK_EQ(cudaGraphLaunch(exec, nullptr), cudaErrorLaunchFailure);
  RETURN_RESULT();
}
