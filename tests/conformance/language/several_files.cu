// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two .cu files and a .cpp file in one program, with static device variables and kernels of the
// same names in both .cu files.
// also: parts/other_kernel.cu parts/host_only.cpp
#include "check.h"
#include "parts/several_files.h"

static __constant__ int factor = 2;

static __device__ int scale(int value) { return value * factor; }

namespace {
__global__ void transform(int *data) { data[threadIdx.x] = scale(data[threadIdx.x]); }
} // namespace

int main() {
  const int n = 10;
  DeviceBuffer<int> data(std::vector<int>(n, 1));
  transform<<<1, n>>>(data); // 2
  launchOther(data, n);      // (2 + 5) * 3
  addOne<<<1, n>>>(data.data());
  CHECK_EQ(hostOnly(data, n), 22 * n);
  RETURN_RESULT();
}
