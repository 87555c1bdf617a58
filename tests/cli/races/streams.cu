// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches in several streams.
#include <cstdio>
__global__ void write(int *p) {
  p[threadIdx.x] = threadIdx.x; // race:a
}
__global__ void read(const int *p, int *out) {
  out[threadIdx.x] = p[31 - threadIdx.x]; // race:a
}
// Written, read behind an event, and read in a third stream that waits for nothing.
__global__ void writeForTwo(int *p) {
  p[threadIdx.x] = threadIdx.x; // race:b
}
__global__ void readThird(const int *p, int *out) {
  out[threadIdx.x] = p[31 - threadIdx.x]; // race:b
}
__managed__ int sum;
__global__ void addToManaged() {
  sum += 1; // race:c
}
__global__ void writeInFresh(int *p) {
  p[threadIdx.x] = threadIdx.x; // race:d
}
__global__ void readBeside(const int *p, int *out) {
  out[threadIdx.x] = p[31 - threadIdx.x]; // race:d
}
__global__ void writeRight(int *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void readRight(const int *p, int *out) { out[threadIdx.x] = p[31 - threadIdx.x]; }
int main() {
  int *p, *out;
  cudaMalloc(&p, 4096);
  cudaMalloc(&out, 4096);
  cudaStream_t one, two, free_one;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaStreamCreateWithFlags(&free_one, cudaStreamNonBlocking);
  cudaEvent_t event;
  cudaEventCreate(&event);
  // By an event.
  writeRight<<<1, 32, 0, one>>>(p);
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(two, event, 0);
  readRight<<<1, 32, 0, two>>>(p, out);
  // By the host.
  cudaStreamSynchronize(two);
  writeRight<<<1, 32, 0, one>>>(p);
  cudaEventRecord(event, one);
  cudaEventSynchronize(event);
  readRight<<<1, 32, 0, two>>>(p, out);
  // By the default stream.
  writeRight<<<1, 32>>>(p);
  readRight<<<1, 32, 0, one>>>(p, out);
  cudaDeviceSynchronize();
  // In different places.
  writeRight<<<1, 32, 0, one>>>(p + 64);
  readRight<<<1, 32, 0, free_one>>>(p, out);
  cudaDeviceSynchronize();
  write<<<1, 32, 0, one>>>(p);
  read<<<1, 32, 0, two>>>(p, out);
  cudaDeviceSynchronize();
  writeForTwo<<<1, 32, 0, one>>>(p);
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(two, event, 0);
  readRight<<<1, 32, 0, two>>>(p, out);
  readThird<<<1, 32, 0, free_one>>>(p, out + 128);
  addToManaged<<<1, 32>>>();
  cudaDeviceSynchronize();
  // A stream at the address of one that is gone, whose work the host knows to be done.
  cudaStream_t gone, fresh;
  cudaStreamCreate(&gone);
  for (int i = 0; i < 5; ++i)
    writeRight<<<1, 32, 0, gone>>>(p);
  cudaStreamSynchronize(gone);
  cudaStreamDestroy(gone);
  cudaStreamCreate(&fresh);
  writeInFresh<<<1, 32, 0, fresh>>>(p);
  readBeside<<<1, 32, 0, one>>>(p, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
