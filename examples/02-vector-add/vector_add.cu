// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adding two vectors: the pattern of most CUDA programs.
//
//   1. allocate memory on the device
//   2. copy the input to it
//   3. launch a kernel with one thread for each element
//   4. copy the result back
//
// Threads come in blocks of equal size, so that there are often a few more threads than elements:
// here 1,000,003 elements need 3,907 blocks of 256, which are 1,000,192 threads. The last 189 have
// nothing to do. `if (i < n)` keeps them from writing behind the end.
#include "../check.h"

#include <vector>

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // this thread's place among all threads
  if (i < n)
    c[i] = a[i] + b[i];
}

int main() {
  const int n = 1000003;
  const size_t bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i % 1000);
    b[i] = static_cast<float>(i % 77) / 4;
  }

  // By habit a pointer into the device's memory begins with d_: the host must not look behind it.
  float *d_a, *d_b, *d_c;
  CHECK(cudaMalloc(&d_a, bytes));
  CHECK(cudaMalloc(&d_b, bytes));
  CHECK(cudaMalloc(&d_c, bytes));
  CHECK(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));

  const int threads = 256;
  const int blocks = (n + threads - 1) / threads; // n / threads, rounded up
  add<<<blocks, threads>>>(d_a, d_b, d_c, n);
  CHECK(cudaGetLastError()); // did the launch itself work?

  CHECK(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost)); // waits for the kernel
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_c));

  for (int i = 0; i < n; ++i) {
    if (c[i] != a[i] + b[i]) {
      std::printf("element %d is %g, not %g\n", i, c[i], a[i] + b[i]);
      return 1;
    }
  }
  std::printf("%d blocks of %d threads added %d elements\n", blocks, threads, n);
  std::printf("c[0] = %g, c[1000] = %g, c[%d] = %g\n", c[0], c[1000], n - 1, c[n - 1]);
  return 0;
}
