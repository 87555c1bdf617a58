// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP host threads, each with a stream of its own, share one device.
// flags: -Xcompiler -fopenmp
#include "check.h"
#include <omp.h>

__global__ void multiply(int *data, int factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= factor;
}

int main() {
  const int threads = 4, n = 10000;
  std::vector<int> values(threads * n, 1);
  int seen = 0;
#pragma omp parallel num_threads(threads) reduction(+ : seen)
  {
    const int id = omp_get_thread_num();
    int *mine = values.data() + id * n, *data = nullptr;
    cudaStream_t stream;
    CHECK_CUDA(cudaStreamCreate(&stream));
    CHECK_CUDA(cudaMalloc(&data, n * sizeof(int)));
    CHECK_CUDA(cudaMemcpyAsync(data, mine, n * sizeof(int), cudaMemcpyHostToDevice, stream));
    for (int factor = 2; factor <= 2 + id; ++factor)
      multiply<<<(n + 127) / 128, 128, 0, stream>>>(data, factor, n);
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaMemcpyAsync(mine, data, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    CHECK_CUDA(cudaFree(data));
    CHECK_CUDA(cudaStreamDestroy(stream));
    seen += 1;
  }
  CHECK_EQ(seen, threads);
  const int factorials[threads] = {2, 6, 24, 120};
  for (int i = 0; i < threads * n; ++i)
    CHECK_EQ(values[i], factorials[i / n]);
  RETURN_RESULT();
}
