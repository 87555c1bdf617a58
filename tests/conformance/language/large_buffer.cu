// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index beyond 2^31 elements in 64-bit arithmetic: the last bytes of a 2.2 GB buffer are
// written and read.
#include "check.h"

__global__ void touch(unsigned char *data, unsigned long long n) {
  const unsigned long long i = n - 1 - (blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x);
  data[i] = (unsigned char)(i % 251);
}

int main() {
  const size_t n = 2200000000ull;
  unsigned char *data = nullptr;
  CHECK_CUDA(cudaMalloc(reinterpret_cast<void **>(&data), n));
  touch<<<4, 256>>>(data, n);
  std::vector<unsigned char> tail(1024);
  CHECK_CUDA(cudaMemcpy(tail.data(), data + n - 1024, 1024, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < 1024; ++i)
    CHECK_EQ(tail[i], (n - 1024 + i) % 251);
  CHECK_CUDA(cudaFree(data));
  RETURN_RESULT();
}
