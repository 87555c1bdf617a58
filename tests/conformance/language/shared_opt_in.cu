// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More than 48 KB of dynamic shared memory needs cudaFuncSetAttribute; without it the launch
// fails, with it all bytes are usable.
#include "check.h"

extern __shared__ int dynamicInts[];

__global__ void touchAll(int *sum, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    dynamicInts[i] = i;
  __syncthreads();
  int own = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    own += dynamicInts[count - 1 - i] % 7;
  atomicAdd(sum, own);
}

int main() {
  const int bytes = 60 * 1024, count = bytes / sizeof(int);
  DeviceBuffer<int> sum(1);
  touchAll<<<1, 256, bytes>>>(sum, count);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFuncSetAttribute(touchAll, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  touchAll<<<1, 256, bytes>>>(sum, count);
  int expected = 0;
  for (int i = 0; i < count; ++i)
    expected += i % 7;
  CHECK_EQ(sum.download()[0], expected);
  RETURN_RESULT();
}
