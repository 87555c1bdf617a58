// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// What is behind the parent in the host's stream comes after its children and theirs.
#include "../check.h"

__global__ void leaf(int *values, int first) {
  long long start = clock64();
  while (clock64() - start < 100000)
    ;
  values[first + threadIdx.x] = 1;
}
__global__ void middle(int *values, int first) { leaf<<<1, 8>>>(values, first + threadIdx.x * 8); }
__global__ void root(int *values) { middle<<<1, 4>>>(values, threadIdx.x * 32); }
__global__ void count(const int *values, int size, int *sum) {
  *sum = 0;
  for (int i = 0; i < size; ++i)
    *sum += values[i];
}

int main() {
  DeviceBuffer<int> values(128), sum(1);
  root<<<1, 4>>>(values);
  count<<<1, 1>>>(values, 128, sum);
  CHECK_EQ(sum.download()[0], 128);
  RETURN_RESULT();
}
