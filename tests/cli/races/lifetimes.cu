// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that lives in the order of a stream (cudaMallocAsync, cudaFreeAsync).
#include <cstdio>
__global__ void useUnordered(int *p) {
  p[threadIdx.x] = threadIdx.x; // race:a
}
__global__ void useBesideFree(int *p) {
  p[threadIdx.x] = threadIdx.x; // race:b
}
__global__ void useRight(int *p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int *p;
  cudaStream_t one, two;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  cudaEventCreate(&event);
  // In one stream.
  cudaMallocAsync(&p, 128, one);
  useRight<<<1, 32, 0, one>>>(p);
  cudaFreeAsync(p, one);
  // Allocated in one and freed in the other, ordered by events.
  cudaMallocAsync(&p, 128, one);
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(two, event, 0);
  useRight<<<1, 32, 0, two>>>(p);
  cudaEventRecord(event, two);
  cudaStreamWaitEvent(one, event, 0);
  cudaFreeAsync(p, one);
  // By the host.
  cudaMallocAsync(&p, 128, one);
  cudaStreamSynchronize(one);
  useRight<<<1, 32, 0, two>>>(p);
  cudaStreamSynchronize(two);
  cudaFreeAsync(p, one);
  // The kernel's stream does not wait for the allocation, …
  cudaMallocAsync(&p, 128, one); // race:a
  useUnordered<<<1, 32, 0, two>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
  // … nor the stream that frees for the kernel.
  cudaMallocAsync(&p, 128, one);
  cudaStreamSynchronize(one);
  useBesideFree<<<1, 32, 0, one>>>(p);
  cudaFreeAsync(p, two); // race:b
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
