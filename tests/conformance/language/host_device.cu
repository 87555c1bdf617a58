// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __host__ __device__ functions differ by #ifdef __CUDA_ARCH__, which is undefined on the host
// and at least 750 on the device; inline and __forceinline__ and __noinline__ functions.
#include "check.h"

__host__ __device__ int side() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__;
#else
  return -1;
#endif
}

#ifdef __CUDACC__
#define COMPILER_DEFINED 1
#else
#define COMPILER_DEFINED 0
#endif

__forceinline__ __device__ int forced(int value) { return value + 1; }
__noinline__ __device__ int called(int value) { return value * 2; }
inline __host__ __device__ double half(double value) { return 0.5 * value; }
static inline __device__ int unused(int value) { return value; }

__global__ void compute(double *out) {
  out[0] = side();
  out[1] = called(forced(20));
  out[2] = half(5);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  out[3] = 1;
#endif
  out[4] = COMPILER_DEFINED;
}

int main() {
  DeviceBuffer<double> out(5);
  compute<<<1, 1>>>(out);
  const std::vector<double> result = out.download();
  CHECK_EQ(side(), -1);
  CHECK(result[0] >= 750);
  CHECK_EQ(result[1], 42);
  CHECK_EQ(result[2], half(5));
  CHECK_EQ(result[3], 1);
  CHECK_EQ(result[4], 1);
  CHECK_EQ(COMPILER_DEFINED, 1);
  RETURN_RESULT();
}
