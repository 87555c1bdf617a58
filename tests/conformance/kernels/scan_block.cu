// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scan in one block: work-inefficient with a double buffer, and Blelloch's up and down sweep;
// exact integers show a missing barrier.
#include "check.h"

const int size = 1024;

__global__ void doubleBuffer(const int *in, int *out) {
  __shared__ int buffers[2][size];
  const int t = threadIdx.x;
  int current = 0;
  buffers[current][t] = in[t];
  for (int stride = 1; stride < size; stride *= 2) {
    __syncthreads();
    const int sum = buffers[current][t] + (t >= stride ? buffers[current][t - stride] : 0);
    current = 1 - current;
    buffers[current][t] = sum;
  }
  out[t] = buffers[current][t];
}

__global__ void blelloch(const int *in, int *out) {
  __shared__ int tree[2 * size];
  const int t = threadIdx.x;
  tree[2 * t] = in[2 * t];
  tree[2 * t + 1] = in[2 * t + 1];
  int stride = 1;
  for (int active = size; active > 0; active /= 2, stride *= 2) {
    __syncthreads();
    if (t < active)
      tree[stride * (2 * t + 2) - 1] += tree[stride * (2 * t + 1) - 1];
  }
  __syncthreads();
  if (t == 0)
    tree[2 * size - 1] = 0;
  for (int active = 1; active <= size; active *= 2) {
    stride /= 2;
    __syncthreads();
    if (t < active) {
      const int left = stride * (2 * t + 1) - 1, right = stride * (2 * t + 2) - 1;
      const int moved = tree[left];
      tree[left] = tree[right];
      tree[right] += moved;
    }
  }
  __syncthreads();
  out[2 * t] = tree[2 * t];
  out[2 * t + 1] = tree[2 * t + 1];
}

int main() {
  std::vector<int> values(2 * size);
  for (int i = 0; i < 2 * size; ++i)
    values[i] = i * 37 % 101 - 20;
  DeviceBuffer<int> in(values), inclusive(size), exclusive(2 * size);
  doubleBuffer<<<1, size>>>(in, inclusive);
  blelloch<<<1, size>>>(in, exclusive);
  const std::vector<int> a = inclusive.download(), b = exclusive.download();
  int sum = 0;
  for (int i = 0; i < 2 * size; ++i) {
    CHECK_EQ(b[i], sum);
    sum += values[i];
    if (i < size)
      CHECK_EQ(a[i], sum);
  }
  RETURN_RESULT();
}
