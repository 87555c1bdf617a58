// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuRAND's device functions in C++11, as older makefiles compile: the numbers are those of later
// standards, with jumps of all lengths.
// flags: -std=c++11
// stdout: f6c0ce8e
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

#include <cstdio>

__global__ void draw(unsigned *out) {
  curandState xorwow;
  curand_init(7, threadIdx.x * 1234567ull, 99999999ull, &xorwow);
  out[threadIdx.x] = curand(&xorwow);
  skipahead(1ull << 40, &xorwow);
  out[64 + threadIdx.x] = curand(&xorwow);
  curandStateMRG32k3a mrg;
  curand_init(7, threadIdx.x, 12345, &mrg);
  out[128 + threadIdx.x] = curand(&mrg);
  curandStatePhilox4_32_10_t philox;
  curand_init(7, threadIdx.x, 12345, &philox);
  out[192 + threadIdx.x] = curand(&philox);
  skipahead_subsequence(5, &mrg);
  skipahead_sequence(5, &mrg);
  out[128 + threadIdx.x] ^= curand(&mrg);
}

int main() {
  unsigned *out, hash = 0;
  if (cudaMallocManaged(&out, 256 * sizeof *out) != cudaSuccess)
    return 1;
  draw<<<1, 64>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  for (int i = 0; i < 256; ++i)
    hash = hash * 31 + out[i];
  std::printf("%08x\n", hash); // that of C++17, with tables computed another way
}
