// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements that nvcc warns of: unroll pragmas that are ignored, jumps past
// initialisations, arithmetic on pointers to void.
#include "check.h"

#include <cuda_fp16.h>

template <int count> __global__ void unrolled(int *out, int n) {
#pragma unroll count
  for (int i = 0; i < n; ++i)
    out[i] = i;
#pragma unroll 0
  for (int i = 0; i < n; ++i)
    out[i] += 1;
#pragma unroll
  out[n] = 7;
#pragma unroll
#pragma unroll 4
  for (int i = 0; i < n; ++i)
    out[i] *= 2;
#pragma unroll 4
  if (n > 2)
    out[n] += 1;
}

__global__ void jumps(int *out, int kind) {
  switch (kind) {
  case 1:
    int four = 4;
    out[0] = four;
    break;
  case 2:
    four = 5;
    out[0] = four;
    break;
  default:
    out[0] = 6;
  }
}

template <class T> __host__ __device__ long offsets(T *start) {
  T *p = start;
  p = p + 3;
  p += 4;
  p += 2;
  p -= 2;
  const void *q = p;
  void *r = 1 + p;
  return (q - start) * 100 + (r - start); // 7, 8
}

__global__ void voidPointers(long *out, void *p) {
  void *const constant = p;
  out[0] = (constant + 2) - p;
  out[1] = offsets(p);
  volatile char bytes[16] = {};
  volatile void *v = bytes;
  out[2] = ((volatile char *)(v + 5)) - bytes;
}

template <class T> __global__ void comparesWithZero(int *out, T *p) {
  bool b = false;
  b++;
  out[0] = (p > 0) + 2 * (p <= 0) + 4 * b;
}

// Empty statements, which keep accesses where they are.
__global__ void barriersOfTheCompiler(int *out) {
  int x = threadIdx.x, y = 2 * x;
  asm volatile("" ::: "memory");
  asm volatile("" : "+r"(x) : : "memory");
  asm volatile("" : "+r"(x), "+r"(y));
  asm("" : : "r"(x));
  out[threadIdx.x] = x + y;
}

// A parameter that is written and not read.
__global__ void writesItsParameter(int *out, __half h) {
  h = __half(float(*out));
  *out = 1;
}

int main() {
  DeviceBuffer<int> out(9);
  unrolled<0><<<1, 1>>>(out, 8);
  unrolled<-1><<<1, 1>>>(out, 8);
  unrolled<4><<<1, 1>>>(out, 8);
  CHECK_CUDA(cudaDeviceSynchronize());
  const std::vector<int> numbers = out.download();
  for (int i = 0; i < 8; ++i)
    CHECK_EQ(numbers[i], 2 * (i + 1));
  CHECK_EQ(numbers[8], 8);
  const int expected[3] = {6, 4, 5};
  for (int kind = 0; kind < 3; ++kind) {
    jumps<<<1, 1>>>(out, kind);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_EQ(out.download()[0], expected[kind]);
  }
  DeviceBuffer<long> distances(3);
  voidPointers<<<1, 1>>>(distances, out.data());
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(distances.download()[0], 2);
  CHECK_EQ(distances.download()[1], 708);
  CHECK_EQ(distances.download()[2], 5);
  void *host = &distances;
  CHECK_EQ(offsets(host), 708);
  comparesWithZero<<<1, 1>>>(out, out.data());
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out.download()[0], 5);
  barriersOfTheCompiler<<<1, 9>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 9; ++i)
    CHECK_EQ(out.download()[i], 3 * i);
  writesItsParameter<<<1, 1>>>(out, __half(1.f));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out.download()[0], 1);
  RETURN_RESULT();
}
