// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// CUDA guide, "Device Graph Launch": a kernel of a graph launches other graphs, which it fires and
// forgets, which run beside its own graph, or which follow it.
#include "device_launch.h"

__global__ void launchAll(cudaGraphExec_t fired, cudaGraphExec_t sibling, cudaGraphExec_t tail,
                          cudaGraphExec_t tail2, Log *log, cudaError_t *errors) {
  note(log, 1);
  errors[0] = cudaGraphLaunch(tail, cudaStreamGraphTailLaunch);
  errors[1] = cudaGraphLaunch(tail2, cudaStreamGraphTailLaunch);
  errors[2] = cudaGraphLaunch(fired, cudaStreamGraphFireAndForget);
  errors[3] = cudaGraphLaunch(sibling, cudaStreamGraphFireAndForgetAsSibling);
}

__global__ void launchTail(cudaGraphExec_t tail, Log *log) {
  note(log, 4);
  cudaGraphLaunch(tail, cudaStreamGraphTailLaunch);
}

// Places in the order of what has happened.
int placeOf(const Log &log, int what) {
  for (int i = 0; i < log.count; ++i)
    if (log.entries[i] == what)
      return i;
  return -1;
}

int main() {
  DeviceBuffer<Log> log(1);
  DeviceBuffer<cudaError_t> errors(4);
  Launchable fired(noteGraph(log, 2)), sibling(noteGraph(log, 3));
  Launchable tail_of_tail(noteGraph(log, 5)), tail2(noteGraph(log, 6));
  cudaGraph_t tail_graph = newGraph();
  addKernel(tail_graph, {}, launchTail, cudaGraphExec_t(tail_of_tail), log.data());
  Launchable tail(tail_graph);

  cudaGraph_t graph = newGraph();
  cudaGraphNode_t first =
      addKernel(graph, {}, launchAll, cudaGraphExec_t(fired), cudaGraphExec_t(sibling),
                cudaGraphExec_t(tail), cudaGraphExec_t(tail2), log.data(), errors.data());
  addKernel(graph, {first}, noteKernel, log.data(), 7);
  Launchable launcher(graph);
  for (int round = 1; round <= 3; ++round) {
    CHECK_CUDA(cudaMemset(log, 0, sizeof(Log)));
    launcher.run();
    for (cudaError_t error : errors.download())
      CHECK_EQ(error, cudaSuccess);
    const Log got = log.download()[0];
    CHECK_EQ(got.count, 7);
    CHECK_EQ(got.entries[0], 1);
    // The graph and what it has fired come before its tail, and a tail's tail before the next one.
    CHECK(placeOf(got, 2) < placeOf(got, 4));
    CHECK(placeOf(got, 7) < placeOf(got, 4));
    CHECK(placeOf(got, 4) < placeOf(got, 5));
    CHECK(placeOf(got, 5) < placeOf(got, 6));
    CHECK(placeOf(got, 3) > 0); // a sibling may run at any time
  }

  // Also from a graph that kernels cannot launch themselves.
  CHECK_CUDA(cudaMemset(log, 0, sizeof(Log)));
  Executable ordinary(graph);
  ordinary.run();
  CHECK_EQ(log.download()[0].count, 7);
  RETURN_RESULT();
}
