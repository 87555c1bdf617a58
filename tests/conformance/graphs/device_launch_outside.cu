// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
// hardware: skip an H200 reads the handle as an address, and refuses the second kernel's launch
// (801)
//
// A kernel launches an executable graph that was not made for it; a kernel that is in no graph
// launches one.
#include "device_launch.h"

__global__ void tryToLaunch(cudaGraphExec_t graph, cudaError_t *error) {
  *error = cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
}

int main() {
  DeviceBuffer<Log> log(1);
  DeviceBuffer<cudaError_t> error(1);
  Executable ordinary(noteGraph(log, 1));
  cudaGraph_t launcher = newGraph();
  addKernel(launcher, {}, tryToLaunch, cudaGraphExec_t(ordinary), error.data());
  Executable(launcher).run();
  CHECK_EQ(error.download()[0], cudaErrorInvalidValue);

  Launchable launchable(noteGraph(log, 1));
  tryToLaunch<<<1, 1>>>(launchable, error);
  CHECK(error.download()[0] != cudaSuccess);
  CHECK_EQ(log.download()[0].count, 0);
  RETURN_RESULT();
}
