// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector addition with pinned host memory and asynchronous copies in one stream: copies and
// kernel run in the order in which they were given.
#include "vector_add.h"

int main() {
  const int n = vectorLength;
  const size_t bytes = n * sizeof(float);
  float *a, *b, *c;
  CHECK_CUDA(cudaMallocHost(&a, bytes));
  CHECK_CUDA(cudaHostAlloc(&b, bytes, cudaHostAllocWriteCombined));
  CHECK_CUDA(cudaHostAlloc(&c, bytes, cudaHostAllocDefault));
  for (int i = 0; i < n; ++i) {
    a[i] = 7;
    b[i] = 12;
    c[i] = -1;
  }
  DeviceBuffer<float> deviceA(n), deviceB(n), deviceC(n);
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaMemcpyAsync(deviceA, a, bytes, cudaMemcpyHostToDevice, stream));
  CHECK_CUDA(cudaMemcpyAsync(deviceB, b, bytes, cudaMemcpyHostToDevice, stream));
  launchAdd(deviceA, deviceB, deviceC, n, stream);
  CHECK_CUDA(cudaMemcpyAsync(c, deviceC, bytes, cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(countOthers(c, n, 19), 0);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaFreeHost(a));
  CHECK_CUDA(cudaFreeHost(b));
  CHECK_CUDA(cudaFreeHost(c));
  RETURN_RESULT();
}
