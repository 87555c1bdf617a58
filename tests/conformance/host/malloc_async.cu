// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream-ordered allocation: memory can be used in the stream after its allocation and before its
// freeing, while the host goes ahead.
#include "check.h"

__global__ void fill(int *data, int value) { data[blockIdx.x * blockDim.x + threadIdx.x] = value; }

__global__ void accumulate(const int *data, int *sum) {
  atomicAdd(sum, data[blockIdx.x * blockDim.x + threadIdx.x]);
}

int main() {
  int supported = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  CHECK(supported == 0 || supported == 1);
  if (!supported)
    RETURN_RESULT();
  DeviceBuffer<int> sum(1);
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  for (int round = 1; round <= 10; ++round) {
    int *data = nullptr;
    CHECK_CUDA(cudaMallocAsync(&data, 1024 * sizeof(int), stream));
    fill<<<4, 256, 0, stream>>>(data, round);
    accumulate<<<4, 256, 0, stream>>>(data, sum);
    CHECK_CUDA(cudaFreeAsync(data, stream));
  }
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(sum.download()[0], 1024 * 55);
  int *kept = nullptr; // may also be freed by cudaFree
  CHECK_CUDA(cudaMallocAsync(&kept, 100, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_CUDA(cudaFree(kept));
  CHECK_CUDA(cudaStreamDestroy(stream));
  RETURN_RESULT();
}
