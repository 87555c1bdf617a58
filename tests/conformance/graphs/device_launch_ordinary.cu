// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
// hardware: skip an H200 reads the handle as an address, which is illegal
//
// A kernel launches an executable graph that was not made for it.
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
  CHECK_EQ(log.download()[0].count, 0);
  RETURN_RESULT();
}
