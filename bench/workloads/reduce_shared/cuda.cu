// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

constexpr int threads = 256;

// A block adds 2 * threads values.
__global__ void addUp(const float *values, int n, float *sums) {
  __shared__ float partial[threads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 2 * threads + t;
  partial[t] = (i < n ? values[i] : 0.0f) + (i + threads < n ? values[i + threads] : 0.0f);
  __syncthreads();
  for (int stride = threads / 2; stride > 0; stride /= 2) {
    if (t < stride)
      partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = partial[0];
}

static int blocksFor(int n) { return (n + 2 * threads - 1) / (2 * threads); }

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const reduce::Problem problem(options);
  const int n = int(problem.n);
  const float *values = bench::toDevice(problem.values);
  float *sums[2] = {bench::onDevice<float>(blocksFor(n)), bench::onDevice<float>(blocksFor(n))};
  const float *result = nullptr;

  return bench::measure(
      options, workload, problem.bytes(), 0,
      [&] {
        const float *input = values;
        for (int left = n, pass = 0; left > 1; left = blocksFor(left), ++pass) {
          addUp<<<blocksFor(left), threads>>>(input, left, sums[pass % 2]);
          input = sums[pass % 2];
        }
        bench::finish();
        result = input;
      },
      [&] { return problem.check(bench::toHost(result, 1)[0]); });
}
