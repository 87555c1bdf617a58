// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum of a million numbers, in three ways: how threads work on one result together.
//
// Each block adds its numbers in shared memory like a knock-out tournament: in every round half of
// the values are added to the other half, and log2(256) = 8 rounds leave one. Then one atomicAdd
// for each block brings the blocks together.
//
//   interleaved  in round s, thread t works if t is a multiple of 2s. The workers are scattered, so
//                that every warp has some that work and some that wait: the warp takes both paths.
//   sequential   in round s, threads 0 .. s-1 work. Whole warps work or are done.
//   shuffle      a warp's 32 lanes hand each other values from register to register, with no shared
//                memory and no barrier; only the warps' sums pass through shared memory.
#include "../check.h"

#include <vector>

constexpr int THREADS = 256;

__global__ void sumInterleaved(const int *numbers, int n, int *sum) {
  __shared__ int values[THREADS];
  int i = blockIdx.x * THREADS + threadIdx.x;
  values[threadIdx.x] = i < n ? numbers[i] : 0;
  __syncthreads();
  for (int stride = 1; stride < THREADS; stride *= 2) {
    if (threadIdx.x % (2 * stride) == 0)
      values[threadIdx.x] += values[threadIdx.x + stride];
    __syncthreads(); // outside the if: all threads of the block must come to a barrier
  }
  if (threadIdx.x == 0)
    atomicAdd(sum, values[0]);
}

__global__ void sumSequential(const int *numbers, int n, int *sum) {
  __shared__ int values[THREADS];
  int i = blockIdx.x * THREADS + threadIdx.x;
  values[threadIdx.x] = i < n ? numbers[i] : 0;
  __syncthreads();
  for (int stride = THREADS / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride)
      values[threadIdx.x] += values[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(sum, values[0]);
}

__device__ int warpSum(int value) {
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance); // from the lane `distance` further up
  return value;                                             // lane 0 has the whole sum
}

__global__ void sumShuffle(const int *numbers, int n, int *sum) {
  __shared__ int warp_sums[32];
  // A grid-stride loop: each thread first adds up several numbers of its own.
  int value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    value += numbers[i];
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  value = warpSum(value);
  if (lane == 0)
    warp_sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < blockDim.x / warpSize ? warp_sums[lane] : 0;
    value = warpSum(value);
    if (lane == 0)
      atomicAdd(sum, value);
  }
}

int main() {
  const int n = 1000000;
  std::vector<int> numbers(n);
  int expected = 0;
  for (int i = 0; i < n; ++i)
    expected += numbers[i] = i % 1000;

  int *d_numbers, *d_sum;
  CHECK(cudaMalloc(&d_numbers, n * sizeof(int)));
  CHECK(cudaMalloc(&d_sum, sizeof(int)));
  CHECK(cudaMemcpy(d_numbers, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice));

  struct Method {
    const char *name;
    void (*kernel)(const int *, int, int *);
    int blocks;
  };
  const int all = (n + THREADS - 1) / THREADS;
  bool right = true;
  for (Method method :
       {Method{"interleaved", sumInterleaved, all}, Method{"sequential", sumSequential, all},
        Method{"shuffle", sumShuffle, 64}}) {
    int sum = 0;
    CHECK(cudaMemset(d_sum, 0, sizeof(int)));
    method.kernel<<<method.blocks, THREADS>>>(d_numbers, n, d_sum);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost));
    right = right && sum == expected;
    std::printf("%-11s %4d blocks: %d %s\n", method.name, method.blocks, sum,
                sum == expected ? "(right)" : "(WRONG)");
  }
  CHECK(cudaFree(d_numbers));
  CHECK(cudaFree(d_sum));
  return right ? 0 : 1;
}
