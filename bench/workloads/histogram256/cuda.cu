// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each block counts in shared memory, and adds its counts to those of the grid at the end.
#include "common/cuda.h"
#include "problem.h"

using histogram::bins;

__global__ void count(const unsigned char *values, int n, unsigned *counts) {
  __shared__ unsigned blockCounts[bins];
  blockCounts[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&blockCounts[values[i]], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], blockCounts[threadIdx.x]);
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const histogram::Problem problem(options);
  const unsigned char *values = bench::toDevice(problem.values);
  unsigned *counts = bench::onDevice<unsigned>(bins);
  int processors = 0;
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));

  return bench::measure(
      options, histogram::name, problem.bytes(), 0,
      [&] {
        CHECK(cudaMemsetAsync(counts, 0, bins * sizeof(unsigned)));
        count<<<8 * processors, bins>>>(values, int(problem.n), counts);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(counts, bins).data()); });
}
