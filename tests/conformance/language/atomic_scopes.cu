// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The _block and _system forms of the atomics, and atomics on local results that are not read.
#include "check.h"

__global__ void scoped(int *out, unsigned long long *wide) {
  __shared__ int shared;
  if (threadIdx.x == 0)
    shared = 0;
  __syncthreads();
  atomicAdd_block(&shared, 2);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd_system(&out[0], shared);
  atomicMax_block(&out[1], int(threadIdx.x));
  atomicOr_system(&out[2], 1 << threadIdx.x % 5);
  atomicAdd_system(wide, 1ull << 33);
  atomicCAS_system(&out[3], 0, 77);
  atomicExch_block(&out[4], 5);
}

int main() {
  DeviceBuffer<int> out(5);
  DeviceBuffer<unsigned long long> wide(1);
  scoped<<<3, 50>>>(out, wide);
  const int expected[5] = {300, 49, 31, 77, 5};
  const std::vector<int> result = out.download();
  for (int i = 0; i < 5; ++i)
    CHECK_EQ(result[i], expected[i]);
  CHECK_EQ(wide.download()[0], 150ull << 33);
  RETURN_RESULT();
}
