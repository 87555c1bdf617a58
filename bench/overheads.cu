// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What launching costs when the kernel does nothing. Prints "name value unit" lines for
// overheads.py.
#include <cstdio>

__global__ void empty() {}
__global__ void barrier() { __syncthreads(); }

// Milliseconds that `launches` launches of `kernel` take, from first to last.
template <class Kernel> float milliseconds(Kernel kernel, int launches, int blocks, int threads) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  kernel<<<1, 32>>>();
  cudaDeviceSynchronize();
  cudaEventRecord(begin);
  for (int i = 0; i < launches; ++i)
    kernel<<<blocks, threads>>>();
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float elapsed = 0;
  cudaEventElapsedTime(&elapsed, begin, end);
  return elapsed;
}

int main() {
  const int blocks = 20000, threads = 1024, launches = 2000;
  const double millions = blocks * double(threads) / 1e6;
  std::printf("empty threads, M/s: %.1f\n",
              millions / milliseconds(empty, 1, blocks, threads) * 1e3);
  std::printf("threads with one barrier, M/s: %.1f\n",
              millions / 10 / milliseconds(barrier, 1, blocks / 10, threads) * 1e3);
  std::printf("launch of one warp, us: %.2f\n",
              milliseconds(empty, launches, 1, 32) * 1e3 / launches);
  return 0;
}
