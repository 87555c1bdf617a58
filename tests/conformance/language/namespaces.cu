// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels and variables of the same name in different namespaces, an unnamed one among them, and
// a static kernel.
#include "check.h"

namespace first {
__device__ int value = 1;
__global__ void store(int *out) { *out = value; }
} // namespace first

namespace second {
__device__ int value = 2;
__global__ void store(int *out) { *out = value; }
namespace inner {
__constant__ int value = 3;
__global__ void store(int *out) { *out = value + second::value * 10; }
} // namespace inner
} // namespace second

namespace {
__device__ int value = 4;
__global__ void store(int *out) { *out = value; }
} // namespace

static __global__ void storeStatic(int *out) { *out = ::value + first::value; }

int main() {
  DeviceBuffer<int> out(5);
  first::store<<<1, 1>>>(out);
  second::store<<<1, 1>>>(out + 1);
  second::inner::store<<<1, 1>>>(out + 2);
  store<<<1, 1>>>(out + 3);
  storeStatic<<<1, 1>>>(out + 4);
  const int expected[5] = {1, 2, 23, 4, 5};
  const std::vector<int> result = out.download();
  for (int i = 0; i < 5; ++i)
    CHECK_EQ(result[i], expected[i]);
  RETURN_RESULT();
}
