// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host code that accesses memory which it shares with kernels, before it has waited for them.
#include <cstdio>
#include <cstdlib>
constexpr int n = 4096; // four pages
volatile int sink;
__global__ void write(int *p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = 1; // race:a race:d race:i race:j
}
__global__ void writeInGraph(int *p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = 1; // race:k
}
__global__ void read(const int *p, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = p[i]; // race:b
}
__global__ void sum(const int *p, int *out) {
  if (threadIdx.x == 0)
    *out = p[0] + p[1]; // race:g
}
__managed__ int before, variable, behind[3 * n];
__global__ void writeVariables() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  behind[i] = i; // race:h
  if (i == 0)
    variable = 1; // race:p
}
__global__ void writeRegistered(int *p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = 1; // race:q
}
// The first write stays a race when another kernel has read it since.
__global__ void writeFirst(int *p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = 1; // race:l
}
__global__ void writeOften(int *p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 3; ++k)
    p[i] += k; // race:o
}
// An atomic operation of the device's scope tells host code nothing.
__managed__ int counter;
__global__ void writeAndCount(int *p) {
  p[blockIdx.x * blockDim.x + threadIdx.x] = 1; // race:r
  atomicAdd(&counter, 1);
}
void look(const int *p) {
  sink = p[17]; // race:o
}
int main() {
  int *p, *out, *device, *pinned, *mapped;
  cudaMallocManaged(&p, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&device, n * sizeof(int));
  cudaMallocHost(&pinned, n * sizeof(int));
  cudaHostAlloc(&mapped, sizeof(int), cudaHostAllocMapped);
  for (int i = 0; i < n; ++i)
    p[i] = pinned[i] = i;

  // All in the default stream.
  writeFirst<<<n / 256, 256>>>(p);
  read<<<n / 256, 256>>>(p, out);
  sink = p[n - 1]; // race:l
  cudaDeviceSynchronize();
  sink = p[n - 1];
  read<<<n / 256, 256>>>(p, out);
  sink = p[3]; // both read
  p[3] = 4;    // race:b
  cudaDeviceSynchronize();
  write<<<n / 256, 256>>>(p);
  std::printf("%d\n", p[0]); // race:a
  cudaDeviceSynchronize();
  writeOften<<<n / 256, 256>>>(p);
  look(p);
  cudaDeviceSynchronize();
  writeAndCount<<<n / 256, 256>>>(p);
  sink = counter; // strong there
  sink = p[5];    // race:r
  cudaDeviceSynchronize();
  cudaMemcpy(device, p, n * sizeof(int), cudaMemcpyDefault);
  sum<<<1, 32>>>(p, mapped);
  sink = *mapped; // race:g
  cudaDeviceSynchronize();
  sink = *mapped;
  writeVariables<<<3 * n / 256, 256>>>();
  sink = behind[n + 3]; // race:h
  sink = before;
  sink = variable; // race:p
  cudaDeviceSynchronize();
  sink = behind[n + 3] + variable;
  int *own = static_cast<int *>(std::malloc(3 * n * sizeof(int)));
  cudaHostRegister(own, 3 * n * sizeof(int), cudaHostRegisterDefault);
  writeRegistered<<<3 * n / 256, 256>>>(own);
  sink = own[n + 3]; // race:q
  cudaHostUnregister(own);
  sink = own[n + 3];
  std::free(own);

  // Copies and fills.
  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaMemcpyAsync(pinned, device, n * sizeof(int), cudaMemcpyDeviceToHost, one); // race:e
  sink = pinned[9];                                                              // race:e
  cudaStreamSynchronize(one);
  sink = pinned[9];
  cudaMemcpyAsync(device, pinned, n * sizeof(int), cudaMemcpyHostToDevice, one); // race:f
  sink = pinned[8];
  pinned[8] = 1; // race:f
  cudaStreamSynchronize(one);
  pinned[8] = 2;
  cudaMemsetAsync(p, 0, n * sizeof(int), one); // race:m
  p[8] = 1;                                    // race:m
  cudaStreamSynchronize(one);

  // Waiting for what is something else.
  write<<<n / 256, 256, 0, one>>>(p);
  cudaStreamSynchronize(two);
  sink = p[100]; // race:d
  cudaStreamSynchronize(one);
  sink = p[100];
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaEventRecord(event, one);
  write<<<n / 256, 256, 0, one>>>(p);
  cudaEventSynchronize(event);
  sink = p[101]; // race:j
  cudaEventRecord(event, one);
  cudaEventSynchronize(event);
  sink = p[101];
  write<<<n / 512, 256, 0, one>>>(p);
  write<<<n / 512, 256, 0, two>>>(p + n / 2);
  cudaStreamSynchronize(one);
  sink = p[0];
  sink = p[n / 2]; // race:i
  cudaStreamSynchronize(two);
  sink = p[n / 2];

  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
  writeInGraph<<<n / 256, 256, 0, one>>>(p);
  cudaStreamEndCapture(one, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, one);
  sink = p[102]; // race:k
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  sink = p[102];
}
