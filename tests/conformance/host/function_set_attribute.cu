// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More than 48 KiB of dynamic shared memory: refused until a kernel opts in, and then usable to
// the last byte. Preferences for cache and carveout are accepted.
#include "check.h"

extern __shared__ unsigned char bytes[];

__global__ void fill(int size, int *wrong) {
  for (int i = threadIdx.x; i < size; i += blockDim.x)
    bytes[i] = (unsigned char)(i * 7);
  __syncthreads();
  for (int i = threadIdx.x; i < size; i += blockDim.x)
    if (bytes[size - 1 - i] != (unsigned char)((size - 1 - i) * 7))
      atomicAdd(wrong, 1);
}

int main() {
  int most = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  CHECK(most >= 65536);
  DeviceBuffer<int> wrong(1);
  fill<<<1, 256, 49152>>>(49152, wrong);
  CHECK_CUDA(cudaDeviceSynchronize());
  fill<<<1, 256, 49153>>>(49153, wrong);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_EQ(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1),
           cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CHECK_CUDA(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  CHECK_CUDA(cudaFuncSetAttribute(fill, cudaFuncAttributePreferredSharedMemoryCarveout,
                                  cudaSharedmemCarveoutMaxShared));
  CHECK_CUDA(cudaFuncSetCacheConfig(fill, cudaFuncCachePreferShared));
  cudaFuncAttributes attributes;
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, fill));
  CHECK_EQ(attributes.maxDynamicSharedSizeBytes, most);
  fill<<<2, 256, most>>>(most, wrong);
  CHECK_EQ(wrong.download()[0], 0);
  RETURN_RESULT();
}
