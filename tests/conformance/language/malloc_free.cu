// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device malloc and free: blocks do not overlap, are aligned to 16 bytes, can be freed by
// another thread and another kernel, and run out at the heap limit.
#include "check.h"

__global__ void allocate(unsigned char **blocks, int *misaligned) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t size = 1 + t * 3 % 200;
  blocks[t] = static_cast<unsigned char *>(malloc(size));
  if (reinterpret_cast<size_t>(blocks[t]) % 16)
    atomicAdd(misaligned, 1);
  if (blocks[t])
    memset(blocks[t], t % 256, size);
}

__global__ void verifyAndFree(unsigned char **blocks, int *wrong) {
  const int n = gridDim.x * blockDim.x;
  const int t = n - 1 - (blockIdx.x * blockDim.x + threadIdx.x);
  const int size = 1 + t * 3 % 200;
  if (!blocks[t])
    atomicAdd(wrong, 1);
  else
    for (int i = 0; i < size; ++i)
      if (blocks[t][i] != t % 256)
        atomicAdd(wrong, 1);
  free(blocks[t]);
}

// The pointers are stored: a compiler may leave out an allocation that has no effect.
__global__ void exhaust(int *out, void *volatile *seen) {
  *seen = malloc(size_t(1) << 40);
  out[0] = *seen == nullptr;
  free(nullptr);
  for (int i = 0; i < 1000; ++i) { // 64 MB in all, more than the heap, but never at once
    *seen = malloc(1 << 16);
    out[1] += *seen != nullptr;
    free(*seen);
  }
}

int main() {
  const int n = 512;
  DeviceBuffer<unsigned char *> blocks(n);
  DeviceBuffer<void *> seen(1);
  DeviceBuffer<int> misaligned(1), wrong(1), out(2);
  allocate<<<4, n / 4>>>(blocks, misaligned);
  verifyAndFree<<<4, n / 4>>>(blocks, wrong);
  exhaust<<<1, 1>>>(out, seen.data());
  CHECK_EQ(misaligned.download()[0], 0);
  CHECK_EQ(wrong.download()[0], 0);
  CHECK_EQ(out.download()[0], 1);
  CHECK_EQ(out.download()[1], 1000);
  size_t limit = 0;
  CHECK_CUDA(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  CHECK(limit >= (8u << 20));
  RETURN_RESULT();
}
