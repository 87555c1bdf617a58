// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// cudaStreamFireAndForget: no order, but the parent waits, and its tail does.
#include "../check.h"

__global__ void add(int *sum, int value) {
  long long start = clock64();
  while (clock64() - start < 20000)
    ;
  atomicAdd(sum, value);
}
__global__ void copy(int *to, const int *from) { *to = *from; }
__global__ void parent(int *sums) {
  copy<<<1, 1, 0, cudaStreamTailLaunch>>>(sums + 1, sums);
  for (int i = 0; i < 50; ++i)
    add<<<1, 4, 0, cudaStreamFireAndForget>>>(sums, i);
}

int main() {
  DeviceBuffer<int> sums(2);
  parent<<<1, 1>>>(sums);
  const std::vector<int> got = sums.download();
  CHECK_EQ(got[0], 49 * 50 / 2 * 4);
  CHECK_EQ(got[1], got[0]);
  RETURN_RESULT();
}
