// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exclusive scan of any length with block sums, for powers of two and other lengths, recursing
// over three levels: the last block is partial.
#include "check.h"

const int blockSize = 64;

__global__ void scanBlocks(const int *in, int *out, int *sums, int n) {
  __shared__ int shared[blockSize];
  const int t = threadIdx.x, i = blockIdx.x * blockSize + t;
  const int own = i < n ? in[i] : 0;
  shared[t] = own;
  for (int stride = 1; stride < blockSize; stride *= 2) {
    __syncthreads();
    const int left = t >= stride ? shared[t - stride] : 0;
    __syncthreads();
    shared[t] += left;
  }
  if (i < n)
    out[i] = shared[t] - own;
  if (t == blockSize - 1)
    sums[blockIdx.x] = shared[t];
}

__global__ void addOffsets(int *out, const int *offsets, int n) {
  const int i = blockIdx.x * blockSize + threadIdx.x;
  if (i < n)
    out[i] += offsets[blockIdx.x];
}

static void scan(const int *in, int *out, int n) {
  const int blocks = (n + blockSize - 1) / blockSize;
  DeviceBuffer<int> sums(blocks), offsets(blocks);
  scanBlocks<<<blocks, blockSize>>>(in, out, sums, n);
  if (blocks == 1)
    return;
  scan(sums, offsets, blocks);
  addOffsets<<<blocks, blockSize>>>(out, offsets, n);
}

int main() {
  for (int n : {1, 63, 64, 65, 1000, 4096, 4097, 100003, 1 << 18}) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i)
      values[i] = i * 7 % 13;
    DeviceBuffer<int> in(values), out(n);
    scan(in, out, n);
    const std::vector<int> result = out.download();
    int sum = 0, wrong = 0;
    for (int i = 0; i < n; ++i) {
      wrong += result[i] != sum;
      sum += values[i];
    }
    CHECK_EQ(wrong, 0);
  }
  RETURN_RESULT();
}
