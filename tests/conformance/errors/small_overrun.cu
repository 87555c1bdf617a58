// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing and reading a little past an allocation goes unnoticed on a GPU, and harms no other
// allocation.
#include "check.h"

__global__ void overrun(int *data, int n, int *sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i; // no bounds check: i may be n or more
  if (i == n)
    *sum = data[n] + data[n + 1];
}

int main() {
  const int n = 1000, launched = 1024; // ends 96 bytes past the array
  std::vector<int> marks(n, 7);
  DeviceBuffer<int> before(marks), data(n), after(marks), sum(1);
  overrun<<<launched / 128, 128>>>(data, n, sum);
  const std::vector<int> result = data.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(result[i], i);
  CHECK(before.download() == marks);
  CHECK(after.download() == marks);
  CHECK_CUDA(cudaDeviceSynchronize());
  RETURN_RESULT();
}
