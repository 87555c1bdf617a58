// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions declared once as __host__ __device__ and once as less are __host__ __device__.
#include "check.h"

__host__ __device__ int twice(int x);
int twice(int x) { return 2 * x; }

__device__ int thrice(int x);
__host__ __device__ int thrice(int x) { return 3 * x; }

template <class T> __host__ __device__ T square(T x);
__global__ void call(int *out) { *out = twice(10) + thrice(100); }

int main() {
  DeviceBuffer<int> out(1);
  call<<<1, 1>>>(out);
  CHECK_EQ(out.download()[0], 320);
  CHECK_EQ(twice(4) + thrice(5), 23);
  RETURN_RESULT();
}
