// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fault in a kernel does not end the host program, which goes on, ends as usual and gives its
// own exit code; what kernels before it wrote to host memory is there.
// exit: 3
// stdout: the host goes on
#include "check.h"

__global__ void store(volatile int *p, int value) { *p = value; }

int main() {
  void *memory;
  CHECK_CUDA(cudaHostAlloc(&memory, sizeof(int), cudaHostAllocMapped));
  volatile int *seen = static_cast<int *>(memory);
  store<<<1, 1>>>(seen, 9);
  CHECK_CUDA(cudaDeviceSynchronize());
  store<<<64, 64>>>(nullptr, 1);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  CHECK_EQ(*seen, 9);
  std::vector<int> work(1 << 20, 1);
  long long sum = 0;
  for (int x : work)
    sum += x;
  CHECK_EQ(sum, 1 << 20);
  puts("the host goes on");
  return check::result() == 0 ? 3 : 1;
}
