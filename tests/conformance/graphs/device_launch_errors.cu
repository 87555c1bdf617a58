// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// CUDA guide, "Device Graph Requirements": which graphs kernels may launch, and when.
#include "device_launch.h"

constexpr unsigned long long device_launch = cudaGraphInstantiateFlagDeviceLaunch;

__global__ void tryToLaunch(cudaGraphExec_t graph, cudaStream_t stream, cudaError_t *error) {
  *error = cudaGraphLaunch(graph, stream);
}

/// What a kernel gets that launches the graph.
cudaError_t launchedBy(cudaGraphExec_t graph, cudaStream_t stream = cudaStreamGraphFireAndForget) {
  DeviceBuffer<cudaError_t> error(1);
  cudaGraph_t launcher = newGraph();
  addKernel(launcher, {}, tryToLaunch, graph, stream, error.data());
  Executable executable(launcher);
  executable.run();
  return error.download()[0];
}

cudaGraphInstantiateResult instantiated(cudaGraph_t graph, cudaGraphNode_t *blamed = nullptr) {
  cudaGraphInstantiateParams params = {};
  params.flags = device_launch;
  cudaGraphExec_t exec = nullptr;
  const cudaError_t error = taken(cudaGraphInstantiateWithParams(&exec, graph, &params));
  CHECK_EQ(error, cudaErrorInvalidValue);
  if (blamed)
    *blamed = params.errNode_out;
  return params.result_out;
}

void doNothing(void *) {}

void graphsThatCannotBe() {
  DeviceBuffer<Log> log(1);
  int pageable = 0;
  cudaGraph_t with_host = noteGraph(log, 1);
  cudaGraphNode_t host = addHost(with_host, {}, doNothing, nullptr), blamed = nullptr;
  CHECK_EQ(instantiated(with_host, &blamed), cudaGraphInstantiateNodeOperationNotSupported);
  CHECK(blamed == host);
  cudaGraph_t with_copy = noteGraph(log, 1);
  addCopy(with_copy, {}, log, &pageable, sizeof pageable);
  // Pageable memory is the host's, which is another device.
  CHECK_EQ(instantiated(with_copy), cudaGraphInstantiateMultipleDevicesNotSupported);
  CHECK(instantiated(newGraph()) != cudaGraphInstantiateSuccess);
  cudaGraphExec_t exec = nullptr;
  CHECK_EQ(taken(cudaGraphInstantiate(&exec, noteGraph(log, 1),
                                      device_launch | cudaGraphInstantiateFlagAutoFreeOnLaunch)),
           cudaErrorInvalidValue);
}

int main() {
  DeviceBuffer<Log> log(1);
  graphsThatCannotBe();

  // A graph that is not uploaded.
  Executable not_uploaded(noteGraph(log, 2), device_launch);
  CHECK(launchedBy(not_uploaded) != cudaSuccess);
  CHECK_EQ(log.download()[0].count, 0);
  CHECK_CUDA(cudaGraphUpload(not_uploaded, nullptr));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(launchedBy(not_uploaded), cudaSuccess);
  CHECK(happened(log, {2}));
  // A launch by the host uploads it, too.
  Executable launched(noteGraph(log, 3), device_launch);
  launched.run();
  CHECK_EQ(launchedBy(launched), cudaSuccess);
  CHECK(happened(log, {2, 3, 3}));

  // Changed, it must be uploaded again.
  cudaGraph_t graph = newGraph();
  cudaGraphNode_t node = addKernel(graph, {}, noteKernel, log.data(), 4);
  Launchable changed(graph);
  Log *pointer = log;
  int what = 5;
  void *arguments[] = {&pointer, &what};
  cudaKernelNodeParams params = kernelParams(noteKernel, arguments);
  CHECK_CUDA(cudaGraphExecKernelNodeSetParams(changed, node, &params));
  CHECK_CUDA(cudaGraphUpload(changed, nullptr));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(launchedBy(changed), cudaSuccess);
  CHECK(happened(log, {2, 3, 3, 5}));

  // Other streams, and no graph.
  CHECK(launchedBy(launched, nullptr) != cudaSuccess);
  CHECK(launchedBy(nullptr) != cudaSuccess);
  CHECK(happened(log, {2, 3, 3, 5}));
  RETURN_RESULT();
}
