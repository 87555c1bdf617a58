// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// A fault in a graph that a kernel has launched is the device's error, as in any graph.
#include "device_launch.h"

__global__ void fail(int *nowhere) { *nowhere = 1; }
__global__ void launch(cudaGraphExec_t graph) {
  cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
}

int main() {
  cudaGraph_t failing = newGraph(), launching = newGraph();
  int *nowhere = nullptr;
  addKernel(failing, {}, fail, nowhere);
  const auto &fails = *new Launchable(failing); // whose end would tell of the fault again
  addKernel(launching, {}, launch, cudaGraphExec_t(fails));
  cudaGraphExec_t exec = nullptr;
  CHECK_CUDA(cudaGraphInstantiate(&exec, launching, 0));
  CHECK_CUDA(cudaGraphLaunch(exec, nullptr));
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  CHECK_EQ(cudaGraphLaunch(exec, nullptr), cudaErrorIllegalAddress);
  RETURN_RESULT();
}
