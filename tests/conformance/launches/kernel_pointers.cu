// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// Device code holds kernels in pointers, tables and parameters, and launches what they point to.
#include "../check.h"

using Kernel = void (*)(int *, int);

__global__ void plus(int *to, int value) { *to += value; }
__global__ void times(int *to, int value) { *to *= value; }
template <int n> __global__ void plus_constant(int *to, int value) { *to += n + value; }

__device__ Kernel table[] = {plus, times, plus_constant<100>};
__device__ Kernel chosen;

__device__ void run(Kernel kernel, int *to, int value) { kernel<<<1, 1>>>(to, value); }

__global__ void parent(int *to) {
  for (int i = 0; i < 3; ++i)
    table[(i + threadIdx.x) % 3]<<<1, 1>>>(to + threadIdx.x, i + 2);
  chosen = times;
  run(chosen, to + threadIdx.x, 3);
  run(threadIdx.x == 1 ? plus : times, to + threadIdx.x, 5);
}

int main() {
  DeviceBuffer<int> to(std::vector<int>{1, 2, 3});
  parent<<<1, 3>>>(to);
  const int expected[] = {((1 + 2) * 3 + 104) * 3 * 5, ((2 * 2 + 103) + 4) * 3 + 5,
                          ((3 + 102 + 3) * 4) * 3 * 5};
  for (int i = 0; i < 3; ++i)
    CHECK_EQ(to.download()[i], expected[i]);
  RETURN_RESULT();
}
