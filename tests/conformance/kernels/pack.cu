// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pack and split (stream compaction) by predicate, scan and scatter: order is kept and nothing
// is lost, also when all or no elements pass.
#include "check.h"

const int blockSize = 256;

// One block, any n: the predicate's inclusive scan, chunk after chunk.
__global__ void scanFlags(const int *in, int *positions, int limit, int n) {
  __shared__ int shared[blockSize];
  __shared__ int before;
  const int t = threadIdx.x;
  if (t == 0)
    before = 0;
  for (int start = 0; start < n; start += blockSize) {
    const int flag = start + t < n && in[start + t] < limit;
    shared[t] = flag;
    __syncthreads();
    for (int stride = 1; stride < blockSize; stride *= 2) {
      const int left = t >= stride ? shared[t - stride] : 0;
      __syncthreads();
      shared[t] += left;
      __syncthreads();
    }
    if (start + t < n)
      positions[start + t] = before + shared[t] - flag;
    __syncthreads();
    if (t == blockSize - 1)
      before += shared[t];
    __syncthreads();
  }
  if (t == 0)
    positions[n] = before;
}

__global__ void scatterPack(const int *in, const int *positions, int *out, int limit, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] < limit)
    out[positions[i]] = in[i];
}

__global__ void scatterSplit(const int *in, const int *positions, int *out, int limit, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[in[i] < limit ? positions[i] : positions[n] + i - positions[i]] = in[i];
}

int main() {
  const int n = 3001;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = i * 7919 % 1000;
  DeviceBuffer<int> in(values);
  for (int limit : {500, 1, 0, 1000}) {
    std::vector<int> low, split;
    for (int value : values)
      if (value < limit)
        low.push_back(value);
    split = low;
    for (int value : values)
      if (value >= limit)
        split.push_back(value);
    DeviceBuffer<int> positions(n + 1), packed(n), parts(n);
    scanFlags<<<1, blockSize>>>(in, positions, limit, n);
    scatterPack<<<(n + 127) / 128, 128>>>(in, positions, packed, limit, n);
    scatterSplit<<<(n + 127) / 128, 128>>>(in, positions, parts, limit, n);
    CHECK_EQ(positions.download()[n], low.size());
    low.resize(n); // the rest is untouched
    CHECK(packed.download() == low);
    CHECK(parts.download() == split);
  }
  RETURN_RESULT();
}
