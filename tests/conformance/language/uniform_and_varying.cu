// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same expressions with values that are uniform for the block, affine in the lane and
// arbitrary: mixing them must not lose a lane.
#include "check.h"

__global__ void mix(const int *table, int uniform, int *out, int n) {
  __shared__ int shared[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  shared[t] = uniform + t;
  __syncthreads();
  int value = uniform;               // uniform
  value += blockIdx.x;               // still uniform
  int affine = value + 3 * t;        // affine in the lane
  int arbitrary = table[affine % n]; // gathered
  if (uniform > 3)                   // uniform branch
    affine += shared[63 - t];
  else
    affine -= 1;
  for (int k = 0; k < uniform; ++k) // uniform trip count
    arbitrary = table[(arbitrary + k) % n];
  for (int k = 0; k < t % uniform; ++k) // varying trip count
    arbitrary += table[k] * shared[k];
  value = t == uniform ? arbitrary : value; // one lane differs
  out[i] = value * 100000 + affine * 100 + arbitrary % 100;
}

int main() {
  const int n = 37, uniform = 5;
  std::vector<int> table(n);
  for (int i = 0; i < n; ++i)
    table[i] = i * i % 41;
  DeviceBuffer<int> deviceTable(table), out(192);
  mix<<<3, 64>>>(deviceTable, uniform, out, n);
  const std::vector<int> result = out.download();
  for (int i = 0; i < 192; ++i) {
    const int t = i % 64;
    int value = uniform + i / 64, affine = value + 3 * t, arbitrary = table[affine % n];
    affine += uniform + 63 - t;
    for (int k = 0; k < uniform; ++k)
      arbitrary = table[(arbitrary + k) % n];
    for (int k = 0; k < t % uniform; ++k)
      arbitrary += table[k] * (uniform + k);
    value = t == uniform ? arbitrary : value;
    CHECK_EQ(result[i], value * 100000 + affine * 100 + arbitrary % 100);
  }
  RETURN_RESULT();
}
