// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

__device__ float warpSum(float value) {
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

__global__ void addUp(const float *values, int n, float *total) {
  __shared__ float warpSums[32];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += values[i];

  sum = warpSum(sum);
  if (lane == 0)
    warpSums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < blockDim.x / warpSize ? warpSums[lane] : 0.0f;
    sum = warpSum(sum);
    if (lane == 0)
      atomicAdd(total, sum);
  }
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const reduce::Problem problem(options);
  const int n = int(problem.n), threads = 256;
  const int blocks = std::min((n + threads - 1) / threads, 1024);
  const float *values = bench::toDevice(problem.values);
  float *total = bench::onDevice<float>(1);

  return bench::measure(
      options, workload, problem.bytes(), 0,
      [&] {
        CHECK(cudaMemsetAsync(total, 0, sizeof *total));
        addUp<<<blocks, threads>>>(values, n, total);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(total, 1)[0]); });
}
