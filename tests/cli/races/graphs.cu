// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills in streams, and nodes of graphs.
#include <cstdio>
__global__ void read(const int *p, int *out) {
  out[threadIdx.x] = p[31 - threadIdx.x]; // race:a race:c
}
__global__ void left(int *p) {
  p[threadIdx.x] = 1; // race:d
}
__global__ void right(const int *p, int *out) {
  out[threadIdx.x] = p[threadIdx.x]; // race:d
}
__global__ void late(int *p) {
  p[threadIdx.x] = 2; // race:b
}
__global__ void use(int *p, int *out) {
  out[threadIdx.x] = p[threadIdx.x]; // race:e
}
__global__ void add(int *p) { p[threadIdx.x] += 1; }
__global__ void double_(int *p) { p[threadIdx.x] *= 2; }

// One node, then two beside each other, then one behind both; a copy and a fill among them.
void diamond(cudaStream_t stream, cudaStream_t other, cudaEvent_t fork, cudaEvent_t join, int *p,
             int *q, int *host) {
  cudaMemcpyAsync(p, host, 256, cudaMemcpyHostToDevice, stream);
  add<<<1, 32, 0, stream>>>(p);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(other, fork, 0);
  double_<<<1, 32, 0, stream>>>(p);
  cudaMemsetAsync(q, 0, 256, other);
  add<<<1, 32, 0, other>>>(q);
  cudaEventRecord(join, other);
  cudaStreamWaitEvent(stream, join, 0);
  add<<<1, 32, 0, stream>>>(p);
  add<<<1, 32, 0, stream>>>(q);
  cudaMemcpyAsync(p + 32, q, 128, cudaMemcpyDeviceToDevice, stream);
}

int main() {
  int *p, *q, *out, *host;
  cudaMalloc(&p, 4096);
  cudaMalloc(&q, 4096);
  cudaMalloc(&out, 4096);
  cudaMallocHost(&host, 4096);
  cudaStream_t one, two;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  // Noted before there is a second stream.
  cudaMemcpyAsync(p, host, 128, cudaMemcpyHostToDevice, one); // race:a
  read<<<1, 32, 0, two>>>(p, out);
  cudaDeviceSynchronize();
  // In other places, and in order.
  cudaMemcpyAsync(p, host, 128, cudaMemcpyHostToDevice, one);
  read<<<1, 32, 0, two>>>(p + 64, out);
  read<<<1, 32, 0, one>>>(p, out + 32);
  cudaEventRecord(fork, one);
  cudaStreamWaitEvent(two, fork, 0);
  cudaMemcpyAsync(host, out + 32, 128, cudaMemcpyDeviceToHost, two);
  cudaDeviceSynchronize();
  diamond(one, two, fork, join, p, q, host);
  cudaDeviceSynchronize();
  // A kernel writes what is being copied; a fill, what a kernel reads.
  cudaMemcpyAsync(host, p, 130, cudaMemcpyDeviceToHost, one); // race:b
  late<<<1, 32, 0, two>>>(p);
  cudaDeviceSynchronize();
  read<<<1, 32, 0, one>>>(p, out);
  cudaMemset2DAsync(p + 8, 64, 1, 8, 2, two); // race:c
  cudaDeviceSynchronize();

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
  diamond(one, two, fork, join, p, q, host);
  cudaStreamEndCapture(one, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, one);
  cudaGraphLaunch(exec, one);
  cudaDeviceSynchronize();

  // Two nodes without an edge, and a child graph beside a fill.
  cudaGraph_t wrong, child;
  cudaGraphNode_t nodes[4];
  cudaGraphCreate(&wrong, 0);
  cudaGraphCreate(&child, 0);
  void *left_arguments[] = {&p}, *right_arguments[] = {&p, &out}, *use_arguments[] = {&q, &out};
  cudaKernelNodeParams kernel = {(void *)left, dim3(1), dim3(32), 0, left_arguments, nullptr};
  cudaGraphAddKernelNode(&nodes[0], wrong, nullptr, 0, &kernel);
  kernel.func = (void *)right;
  kernel.kernelParams = right_arguments;
  cudaGraphAddKernelNode(&nodes[1], wrong, nullptr, 0, &kernel);
  kernel.func = (void *)use;
  kernel.kernelParams = use_arguments;
  cudaGraphAddKernelNode(&nodes[2], child, nullptr, 0, &kernel);
  cudaGraphAddChildGraphNode(&nodes[2], wrong, &nodes[1], 1, child);
  cudaMemsetParams fill = {q, 0, 1, 4, 32, 1};
  cudaGraphAddMemsetNode(&nodes[3], wrong, &nodes[1], 1, &fill);
  cudaGraphInstantiate(&exec, wrong, 0);
  cudaGraphLaunch(exec, one); // race:e
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
