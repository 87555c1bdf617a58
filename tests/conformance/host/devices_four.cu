// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four virtual devices: each has its own memory, streams and default stream; cudaSetDevice is per
// host thread.
// env: HEDDLE_DEVICES=4 HEDDLE_GPU=t4
// hardware: skip needs four devices
#include "check.h"
#include <thread>

__global__ void fill(int *data, int value) { data[threadIdx.x] = value; }

int main() {
  int count = 0, current = -1;
  CHECK_CUDA(cudaGetDeviceCount(&count));
  CHECK_EQ(count, 4);
  CHECK_CUDA(cudaGetDevice(&current));
  CHECK_EQ(current, 0);
  int *data[4];
  for (int d = 0; d < 4; ++d) {
    CHECK_CUDA(cudaSetDevice(d));
    size_t free = 0, total = 0;
    CHECK_CUDA(cudaMemGetInfo(&free, &total));
    CHECK_EQ(total, 15828320256);
    CHECK_CUDA(cudaMalloc(&data[d], 32 * sizeof(int)));
    size_t left = 0;
    CHECK_CUDA(cudaMemGetInfo(&left, &total));
    CHECK(left < free);
    fill<<<1, 32>>>(data[d], 100 + d);
    CHECK_CUDA(cudaGetLastError());
  }
  std::thread([] {
    int other = -1;
    CHECK_CUDA(cudaGetDevice(&other));
    CHECK_EQ(other, 0); // a new thread begins with device 0
    CHECK_CUDA(cudaSetDevice(2));
  }).join();
  CHECK_CUDA(cudaGetDevice(&current));
  CHECK_EQ(current, 3);
  for (int d = 0; d < 4; ++d) {
    CHECK_CUDA(cudaSetDevice(d));
    CHECK_CUDA(cudaDeviceSynchronize());
    int values[32];
    CHECK_CUDA(cudaMemcpy(values, data[d], sizeof values, cudaMemcpyDeviceToHost));
    for (int value : values)
      CHECK_EQ(value, 100 + d);
    cudaPointerAttributes attributes;
    CHECK_CUDA(cudaPointerGetAttributes(&attributes, data[d]));
    CHECK_EQ(attributes.device, d);
    CHECK_CUDA(cudaFree(data[d]));
  }
  // A stream belongs to the device that was current when it was made.
  cudaStream_t stream;
  CHECK_CUDA(cudaSetDevice(1));
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaSetDevice(2));
  fill<<<1, 32, 0, stream>>>(data[2], 0);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaStreamDestroy(stream));
  RETURN_RESULT();
}
