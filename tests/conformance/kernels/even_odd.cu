// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Even and odd threads take different paths, by lane and by warp: both sides of the divergent
// branch run, each only for its lanes.
#include "check.h"

__global__ void byLane(int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i % 2 == 0) {
    int sum = 0;
    for (int j = 0; j <= i % 10; ++j)
      sum += j;
    out[i] = sum;
  } else {
    out[i] = -i;
  }
}

__global__ void byWarp(int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i / 32 % 2 == 0)
    out[i] = 3 * i;
  else
    out[i] = i - 1000;
}

// Evens from the front, odds from the back, with half the threads each.
__global__ void splitParity(const int *in, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i % 2 == 0 ? i / 2 : n - 1 - i / 2] = in[i];
}

int main() {
  const int n = 1001;
  DeviceBuffer<int> a(n), b(n), c(n);
  byLane<<<(n + 127) / 128, 128>>>(a, n);
  byWarp<<<(n + 127) / 128, 128>>>(b, n);
  splitParity<<<(n + 127) / 128, 128>>>(b, c, n);
  const std::vector<int> lanes = a.download(), warps = b.download(), split = c.download();
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(lanes[i], i % 2 ? -i : i % 10 * (i % 10 + 1) / 2);
    CHECK_EQ(warps[i], i / 32 % 2 ? i - 1000 : 3 * i);
    CHECK_EQ(split[i % 2 ? n - 1 - i / 2 : i / 2], warps[i]);
  }
  RETURN_RESULT();
}
