// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// One function that launches, for host and device.
#include "../check.h"

__global__ void add(int *sum, int value) { atomicAdd(sum, value); }

template <class Kernel, class... Arguments>
__host__ __device__ void launch(Kernel kernel, int threads, Arguments... arguments) {
  kernel<<<1, threads>>>(arguments...);
}
__host__ __device__ void addTwice(int *sum, int value) {
  add<<<1, 2>>>(sum, value);
  launch(add, 3, sum, value);
}
__global__ void parent(int *sum) { addTwice(sum, 10); }

int main() {
  DeviceBuffer<int> sum(1);
  addTwice(sum, 1);
  CHECK_EQ(sum.download()[0], 5);
  parent<<<1, 4>>>(sum);
  CHECK_EQ(sum.download()[0], 205);
  RETURN_RESULT();
}
