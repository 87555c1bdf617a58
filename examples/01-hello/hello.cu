// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first CUDA program: a function that runs on the GPU, four times at once.
//
// A function marked __global__ is a kernel: it is called from the CPU (the host) and runs on the
// GPU (the device). The launch  hello<<<1, 4>>>()  starts 1 block of 4 threads. All of them run the
// same code; threadIdx tells each one who it is.
//
// A launch returns at once, before the kernel has run. What kernels print is kept in a buffer on
// the device and appears when the host waits for it: take cudaDeviceSynchronize() away, and nothing
// may appear at all.
//
// Try: <<<2, 2>>>. Threads of one block print in order here, but nobody promises the order of
// blocks.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void hello() {
  std::printf("Hello from thread %d of block %d\n", static_cast<int>(threadIdx.x),
              static_cast<int>(blockIdx.x));
}

int main() {
  std::printf("Hello from the host\n");
  hello<<<1, 4>>>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
