// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemAdvise and cudaMemPrefetchAsync on managed memory: accepted, never a change of values;
// refused for memory that is not managed.
#include "check.h"

__global__ void addAll(const int *table, int n, int *sum) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(sum, table[i]);
}

static cudaError_t prefetch(const void *memory, size_t bytes) {
#if CUDART_VERSION >= 13000
  cudaMemLocation location = {};
  location.type = cudaMemLocationTypeDevice;
  return cudaMemPrefetchAsync(memory, bytes, location, 0, 0);
#else
  return cudaMemPrefetchAsync(memory, bytes, 0);
#endif
}

static cudaError_t advise(const void *memory, size_t bytes, cudaMemoryAdvise advice, int place) {
#if CUDART_VERSION >= 13000
  cudaMemLocation location = {};
  location.type = place == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = place == cudaCpuDeviceId ? 0 : place;
  return cudaMemAdvise(memory, bytes, advice, location);
#else
  return cudaMemAdvise(memory, bytes, advice, place);
#endif
}

int main() {
  const int n = 10000;
  const size_t bytes = n * sizeof(int);
  int *table, *sum, *device, concurrent = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
  CHECK_CUDA(cudaMallocManaged(&table, bytes));
  CHECK_CUDA(cudaMallocManaged(&sum, sizeof(int)));
  CHECK_CUDA(cudaMalloc(&device, bytes));
  for (int i = 0; i < n; ++i)
    table[i] = i;
  *sum = 0;
  if (concurrent) {
    CHECK_CUDA(advise(table, bytes, cudaMemAdviseSetReadMostly, 0));
    CHECK_CUDA(advise(table, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
    CHECK_CUDA(advise(table, bytes, cudaMemAdviseSetAccessedBy, 0));
  }
  if (concurrent)
    CHECK_CUDA(prefetch(table, bytes));
  addAll<<<1, 128>>>(table, n, sum);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*sum, n * (n - 1) / 2);
  table[5] = 0; // memory that is mostly read may still be written
  *sum = 0;
  if (concurrent)
    CHECK_CUDA(advise(table, bytes, cudaMemAdviseUnsetReadMostly, 0));
  addAll<<<1, 128>>>(table, n, sum);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*sum, n * (n - 1) / 2 - 5);
  CHECK_EQ(advise(device, bytes, cudaMemAdviseSetReadMostly, 0), cudaErrorInvalidValue);
  CHECK_EQ(prefetch(device, bytes), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CHECK_CUDA(cudaFree(table));
  CHECK_CUDA(cudaFree(sum));
  CHECK_CUDA(cudaFree(device));
  RETURN_RESULT();
}
