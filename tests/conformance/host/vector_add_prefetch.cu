// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector addition in unified memory that is advised, filled by a kernel and prefetched to the
// device and back.
#include "vector_add.h"

__global__ void fill(float *values, float value, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    values[i] = value;
}

static void prefetch(const void *memory, size_t bytes, int place) {
#if CUDART_VERSION >= 13000
  cudaMemLocation location = {};
  location.type = place == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = place == cudaCpuDeviceId ? 0 : place;
  CHECK_CUDA(cudaMemPrefetchAsync(memory, bytes, location, 0, 0));
#else
  CHECK_CUDA(cudaMemPrefetchAsync(memory, bytes, place));
#endif
}

int main() {
  const int n = vectorLength;
  int device = -1, concurrent = 0;
  CHECK_CUDA(cudaGetDevice(&device));
  CHECK_CUDA(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
  float *vectors[3];
  for (float *&vector : vectors) {
    CHECK_CUDA(cudaMallocManaged(&vector, n * sizeof(float)));
    if (concurrent)
      prefetch(vector, n * sizeof(float), device);
  }
  fill<<<80, 256>>>(vectors[0], 7, n);
  fill<<<80, 256>>>(vectors[1], 12, n);
  launchAdd(vectors[0], vectors[1], vectors[2], n);
  if (concurrent)
    prefetch(vectors[2], n * sizeof(float), cudaCpuDeviceId);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(countOthers(vectors[2], n, 19), 0);
  for (float *vector : vectors)
    CHECK_CUDA(cudaFree(vector));
  RETURN_RESULT();
}
