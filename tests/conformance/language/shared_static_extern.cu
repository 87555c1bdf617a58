// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static and dynamic shared memory in one kernel do not overlap, and the dynamic array serves
// several types at once.
#include "check.h"

extern __shared__ unsigned char dynamicBytes[];

__global__ void useBoth(int *out, int n) {
  __shared__ int fixed[64];
  __shared__ int single;
  int *ints = reinterpret_cast<int *>(dynamicBytes);
  double *doubles = reinterpret_cast<double *>(dynamicBytes + 64 * sizeof(int));
  const int t = threadIdx.x;
  fixed[t] = t;
  ints[t] = 100 + t;
  doubles[t] = 0.5 * t;
  if (t == 0)
    single = n;
  __syncthreads();
  const int other = 63 - t;
  out[t] = fixed[other] * 1000 + ints[other] + int(2 * doubles[other]) + single;
}

int main() {
  DeviceBuffer<int> out(64);
  useBoth<<<1, 64, 64 * (sizeof(int) + sizeof(double))>>>(out, 5);
  const std::vector<int> result = out.download();
  for (int t = 0; t < 64; ++t) {
    const int other = 63 - t;
    CHECK_EQ(result[t], other * 1000 + 100 + other + other + 5);
  }
  RETURN_RESULT();
}
