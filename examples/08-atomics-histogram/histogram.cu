// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A histogram: how often does each letter occur? Many threads count into the same few numbers.
//
// ++counts[bin] is three steps: read, add, write. Two threads that do it at once can both read 7
// and both write 8, and one letter is lost. atomicAdd does the three as one.
//
// Atomics on the same address wait for each other. The second kernel therefore gives each block a
// histogram of its own in shared memory, and adds the blocks' results together at the end: 26
// global atomics a block in place of one a letter.
#include "../check.h"

#include <string>
#include <vector>

constexpr int LETTERS = 26;

__global__ void countGlobal(const char *text, int n, int *counts) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int bin = text[i] - 'a';
    if (bin >= 0 && bin < LETTERS)
      atomicAdd(&counts[bin], 1);
  }
}

__global__ void countShared(const char *text, int n, int *counts) {
  __shared__ int mine[LETTERS];
  if (threadIdx.x < LETTERS)
    mine[threadIdx.x] = 0; // shared memory begins with anything
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int bin = text[i] - 'a';
    if (bin >= 0 && bin < LETTERS)
      atomicAdd(&mine[bin], 1);
  }
  __syncthreads();
  if (threadIdx.x < LETTERS)
    atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

int main() {
  const std::string sentence = "the quick brown fox jumps over the lazy dog ";
  const int repeat = 5000;
  std::string text;
  for (int i = 0; i < repeat; ++i)
    text += sentence;
  const int n = static_cast<int>(text.size());
  std::vector<int> expected(LETTERS);
  for (char c : text)
    if (c >= 'a' && c <= 'z')
      ++expected[c - 'a'];

  char *d_text;
  int *d_counts;
  CHECK(cudaMalloc(&d_text, n));
  CHECK(cudaMalloc(&d_counts, LETTERS * sizeof(int)));
  CHECK(cudaMemcpy(d_text, text.data(), n, cudaMemcpyHostToDevice));

  bool right = true;
  for (bool shared : {false, true}) {
    std::vector<int> counts(LETTERS);
    CHECK(cudaMemset(d_counts, 0, LETTERS * sizeof(int)));
    if (shared)
      countShared<<<32, 256>>>(d_text, n, d_counts);
    else
      countGlobal<<<32, 256>>>(d_text, n, d_counts);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(counts.data(), d_counts, LETTERS * sizeof(int), cudaMemcpyDeviceToHost));
    right = right && counts == expected;
    std::printf("%s: a %d, e %d, o %d, z %d %s\n", shared ? "shared" : "global", counts['a' - 'a'],
                counts['e' - 'a'], counts['o' - 'a'], counts['z' - 'a'],
                counts == expected ? "(right)" : "(WRONG)");
  }
  CHECK(cudaFree(d_text));
  CHECK(cudaFree(d_counts));
  return right ? 0 : 1;
}
