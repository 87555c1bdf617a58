// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvstd::function in kernels and on the host: lambdas, copies, empty ones.
#include "check.h"

#include <nvfunctional>

__device__ int twice(int x) { return 2 * x; }

__global__ void call(int *out) {
  const int base = 100 + int(threadIdx.x);
  nvstd::function<int(int)> f = [base](int x) { return base + x; };
  const nvstd::function<int(int)> copy = f;
  nvstd::function<int(int)> none;
  out[4 * threadIdx.x] = f(1);
  f = twice;
  out[4 * threadIdx.x + 1] = f(21);
  out[4 * threadIdx.x + 2] = copy(2);
  f = nullptr;
  out[4 * threadIdx.x + 3] = (f ? 1 : 0) + (none == nullptr ? 2 : 0) + (copy ? 4 : 0);
}

int main() {
  DeviceBuffer<int> out(8);
  call<<<1, 2>>>(out);
  const std::vector<int> found = out.download();
  for (int thread = 0; thread < 2; ++thread) {
    CHECK_EQ(found[size_t(4 * thread)], 101 + thread);
    CHECK_EQ(found[size_t(4 * thread + 1)], 42);
    CHECK_EQ(found[size_t(4 * thread + 2)], 102 + thread);
    CHECK_EQ(found[size_t(4 * thread + 3)], 6);
  }
  int sum = 0;
  nvstd::function<void(int)> add = [&sum](int x) { sum += x; };
  nvstd::function<void(int)> other;
  swap(add, other);
  other(3);
  other(4);
  CHECK_EQ(sum, 7);
  CHECK_EQ(bool(add), false);
  RETURN_RESULT();
}
