// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A static local variable in device code is one for all threads and keeps its value between
// launches.
#include "check.h"

__device__ int next() {
  static int counter = 10;
  return atomicAdd(&counter, 1);
}

__global__ void take(int *out) {
  static const int table[3] = {5, 6, 7};
  out[blockIdx.x * blockDim.x + threadIdx.x] = next();
  if (threadIdx.x == 0 && blockIdx.x == 0)
    out[100] = table[out[101]];
}

int main() {
  std::vector<int> start(102);
  start[101] = 2;
  DeviceBuffer<int> out(start);
  take<<<2, 25>>>(out);
  take<<<2, 25>>>(out + 0);
  const std::vector<int> result = out.download();
  std::vector<int> seen(60);
  for (int i = 0; i < 50; ++i) {
    CHECK(result[i] >= 60 && result[i] < 110);
    if (result[i] >= 60 && result[i] < 110)
      ++seen[result[i] - 60];
  }
  for (int i = 0; i < 50; ++i)
    CHECK_EQ(seen[i], 1);
  CHECK_EQ(result[100], 7);
  RETURN_RESULT();
}
