// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unified memory: one pointer that host and device both use.
//
// cudaMallocManaged gives memory that moves to whoever touches it, so that the copies of
// 02-vector-add disappear. What stays is the waiting: the host may only look after
// cudaDeviceSynchronize(), because until then the kernel may not even have begun.
//
// Moving on demand costs time at the first touch of each page. A program that knows where the data
// will be needed says so with cudaMemPrefetchAsync.
//
// Two more kinds of variables that need no copy:
//   __constant__  small, read-only for kernels, quick when all threads of a warp read the same
//   place
//   __managed__   a global variable in unified memory
#include "../check.h"

__constant__ int extra; // set by the host with cudaMemcpyToSymbol
__managed__ int largest = 0;

__global__ void add(const int *a, const int *b, int *c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    c[i] = a[i] + b[i] + extra;
    atomicMax(&largest, c[i]);
  }
}

void prefetch(const void *memory, size_t bytes, int device) {
#if CUDART_VERSION >= 13000 // a place became a structure, because it can also be a NUMA node
  cudaMemLocation place = {};
  place.type = cudaMemLocationTypeDevice;
  place.id = device;
  CHECK(cudaMemPrefetchAsync(memory, bytes, place, 0, 0));
#else
  CHECK(cudaMemPrefetchAsync(memory, bytes, device, 0));
#endif
}

int main() {
  const int n = 1 << 20;
  const size_t bytes = n * sizeof(int);
  int *a, *b, *c;
  CHECK(cudaMallocManaged(&a, bytes));
  CHECK(cudaMallocManaged(&b, bytes));
  CHECK(cudaMallocManaged(&c, bytes));
  for (int i = 0; i < n; ++i) { // the host writes where the device will read
    a[i] = 7;
    b[i] = 12;
  }
  const int five = 5;
  CHECK(cudaMemcpyToSymbol(extra, &five, sizeof(five)));

  int device = 0;
  CHECK(cudaGetDevice(&device));
  prefetch(a, bytes, device);
  prefetch(b, bytes, device);
  prefetch(c, bytes, device);

  add<<<256, 256>>>(a, b, c, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize()); // from here on c belongs to the host again

  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += c[i] != 7 + 12 + 5;
  std::printf("7 + 12 + 5 = %d, largest %d, %d of %d are wrong\n", c[0], largest, wrong, n);
  bool right = wrong == 0 && largest == 24;
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  return right ? 0 : 1;
}
