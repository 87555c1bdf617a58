// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blelloch's scan of each block in shared memory; the blocks' sums are scanned in the same way, by
// fewer blocks, and added.
#include "common/cuda.h"
#include "problem.h"
#include <vector>

using std::uint32_t;

constexpr int THREADS = 256;
constexpr int ELEMENTS = 2 * THREADS; // of a block

__global__ void scanBlocks(uint32_t *out, uint32_t *sums, const uint32_t *in, int n) {
  __shared__ uint32_t values[ELEMENTS];
  const int thread = threadIdx.x, first = blockIdx.x * ELEMENTS;
  for (int i = thread; i < ELEMENTS; i += THREADS)
    values[i] = first + i < n ? in[first + i] : 0;

  // Up the tree: each node gets the sum of its two children, at the place of the right one.
  int distance = 1;
  for (int nodes = THREADS; nodes > 0; nodes /= 2, distance *= 2) {
    __syncthreads();
    if (thread < nodes) {
      const int left = distance * (2 * thread + 1) - 1;
      values[left + distance] += values[left];
    }
  }
  if (thread == 0) {
    sums[blockIdx.x] = values[ELEMENTS - 1];
    values[ELEMENTS - 1] = 0;
  }
  // Down the tree: a node hands the sum of what is before it to the left child, and to the right
  // one with the left child's own sum added.
  for (int nodes = 1; nodes <= THREADS; nodes *= 2) {
    distance /= 2;
    __syncthreads();
    if (thread < nodes) {
      const int left = distance * (2 * thread + 1) - 1;
      const uint32_t sum = values[left];
      values[left] = values[left + distance];
      values[left + distance] += sum;
    }
  }
  __syncthreads();
  for (int i = thread; i < ELEMENTS; i += THREADS)
    if (first + i < n)
      out[first + i] = values[i];
}

__global__ void addSums(uint32_t *out, const uint32_t *sums, int n) {
  const int i = blockIdx.x * ELEMENTS + threadIdx.x;
  const uint32_t sum = sums[blockIdx.x];
  if (i < n)
    out[i] += sum;
  if (i + THREADS < n)
    out[i + THREADS] += sum;
}

/// The arrays of sums, one a level of the recursion; the last holds the sum of all.
struct Levels {
  std::vector<uint32_t *> sums;

  explicit Levels(int n) {
    do {
      n = (n + ELEMENTS - 1) / ELEMENTS;
      sums.push_back(bench::onDevice<uint32_t>(n));
    } while (n > 1);
  }
};

static void scanArray(uint32_t *out, const uint32_t *in, int n, const Levels &levels,
                      std::size_t level = 0) {
  const int blocks = (n + ELEMENTS - 1) / ELEMENTS;
  uint32_t *sums = levels.sums[level];
  scanBlocks<<<blocks, THREADS>>>(out, sums, in, n);
  if (blocks == 1)
    return;
  scanArray(sums, sums, blocks, levels, level + 1);
  addSums<<<blocks, THREADS>>>(out, sums, n);
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const scan::Problem problem(options);
  const int n = int(problem.n);
  const uint32_t *in = bench::toDevice(problem.in);
  uint32_t *out = bench::onDevice<uint32_t>(problem.n);
  const Levels levels(n);

  return bench::measure(
      options, scan::name, problem.bytes(), problem.flops(),
      [&] {
        scanArray(out, in, n, levels);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(out, problem.n)); });
}
