// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Histogram of letters in groups of four (7 bins) by global atomics and privatised in shared
// memory: counts are exact, so a lost atomic shows.
#include "check.h"

const int bins = 7;

__global__ void globalAtomics(const char *text, unsigned *histogram, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int letter = text[i] - 'a';
    if (letter >= 0 && letter < 26)
      atomicAdd(&histogram[letter / 4], 1);
  }
}

__global__ void privatised(const char *text, unsigned *histogram, int n) {
  __shared__ unsigned own[bins];
  if (threadIdx.x < bins)
    own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int letter = text[i] - 'a';
    if (letter >= 0 && letter < 26)
      atomicAdd(&own[letter / 4], 1);
  }
  __syncthreads();
  if (threadIdx.x < bins)
    atomicAdd(&histogram[threadIdx.x], own[threadIdx.x]);
}

int main() {
  const int n = 200001;
  std::vector<char> text(n);
  std::vector<unsigned> expected(bins);
  for (int i = 0; i < n; ++i) {
    text[i] = "the quick brown fox jumps over the lazy dog, "[i % 45];
    if (text[i] >= 'a' && text[i] <= 'z')
      ++expected[(text[i] - 'a') / 4];
  }
  DeviceBuffer<char> in(text);
  DeviceBuffer<unsigned> a(bins), b(bins);
  globalAtomics<<<20, 256>>>(in, a, n);
  privatised<<<20, 256>>>(in, b, n);
  const std::vector<unsigned> resultA = a.download(), resultB = b.download();
  for (int i = 0; i < bins; ++i) {
    CHECK_EQ(resultA[i], expected[i]);
    CHECK_EQ(resultB[i], expected[i]);
  }
  RETURN_RESULT();
}
