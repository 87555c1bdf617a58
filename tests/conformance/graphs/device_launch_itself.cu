// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// CUDA guide, "Self Tail Launch": a graph that kernels may launch finds itself with
// cudaGetCurrentGraphExec and runs again and again. Elsewhere there is no such graph.
#include "device_launch.h"

__global__ void again(int *rounds, int most, int *refused) {
  if (threadIdx.x == 0 && ++*rounds < most) {
    if (cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch) != cudaSuccess)
      ++*refused;
    // One such launch may wait, no more.
    if (cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch) == cudaSuccess)
      ++*refused;
  }
}

__global__ void halve(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] /= 2;
}

__global__ void ask(int *none) { *none = cudaGetCurrentGraphExec() == nullptr; }

int main() {
  const int n = 1000, most = 20;
  DeviceBuffer<float> data(std::vector<float>(n, float(1 << most)));
  DeviceBuffer<int> rounds(1), refused(1);
  cudaGraph_t graph = newGraph();
  float *pointer = data;
  int elements = n;
  void *arguments[] = {&pointer, &elements};
  cudaKernelNodeParams params = kernelParams(halve, arguments, 4, 256);
  cudaGraphNode_t halving = nullptr;
  CHECK_CUDA(cudaGraphAddKernelNode(&halving, graph, nullptr, 0, &params));
  addKernel(graph, {halving}, again, rounds.data(), most, refused.data());
  Launchable loop(graph);
  loop.run();
  CHECK_EQ(rounds.download()[0], most);
  CHECK_EQ(refused.download()[0], 0);
  for (float value : data.download())
    CHECK_EQ(value, 1.0f);

  DeviceBuffer<int> none(1);
  ask<<<1, 1>>>(none);
  CHECK(none.download()[0]);
  CHECK_CUDA(cudaMemset(none, 0, sizeof(int)));
  cudaGraph_t asking = newGraph();
  addKernel(asking, {}, ask, none.data());
  Executable ordinary(asking);
  ordinary.run();
  CHECK(none.download()[0]);
  Launchable launchable(asking);
  launchable.run();
  CHECK(!none.download()[0]);
  RETURN_RESULT();
}
