// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies from global to shared memory in the background (cp.async).
// flags: -arch=sm_80
#include <cstdio>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
constexpr int n = 64;
__global__ void neverAwaited(const int *in, int *out) {
  __shared__ int s[n];
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4); // race:a
  __pipeline_commit();
  __syncthreads();
  out[threadIdx.x] = s[n - 1 - threadIdx.x]; // race:a
}
// The wait comes behind the barrier: other warps may be there before.
__global__ void awaitedLate(const int *in, int *out) {
  __shared__ int s[n];
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4); // race:b
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = s[n - 1 - threadIdx.x]; // race:b
}
// Of two stages, the one that is read is still on its way: wait_prior(1) would do with the stages
// in the other order.
__global__ void wrongStage(const int *in, int *out) {
  __shared__ int s[2][n];
  for (int i = 0; i < 2; ++i) {
    __pipeline_memcpy_async(&s[i][threadIdx.x], &in[threadIdx.x], 4); // race:c
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  out[threadIdx.x] = s[1][n - 1 - threadIdx.x]; // race:c
}
// The next stage is written while other warps still read it.
__global__ void refilledEarly(const int4 *in, int *out, int stages) {
  __shared__ int4 s[n];
  int sum = 0;
  for (int i = 0; i < stages; ++i) {
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 16); // race:d
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += s[n - 1 - threadIdx.x].x; // race:d
  }
  out[threadIdx.x] = sum;
}
// A group that is never committed belongs to none that is waited for.
__global__ void neverCommitted(const int *in, int *out) {
  __shared__ int s[n];
  const auto to = unsigned(__cvta_generic_to_shared(&s[threadIdx.x]));
  const int *from = in + threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from)); // race:e
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  out[threadIdx.x] = s[n - 1 - threadIdx.x]; // race:e
}
// Two stages, the newer of which is under way while the older is read.
__global__ void stages(const int *in, int *out, int count) {
  __shared__ int s[2][n];
  int sum = 0;
  __pipeline_memcpy_async(&s[0][threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  for (int i = 0; i < count; ++i) {
    if (i + 1 < count)
      __pipeline_memcpy_async(&s[(i + 1) % 2][threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[i % 2][n - 1 - threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * n + threadIdx.x] = sum;
}
// Each thread reads what it has copied itself: no barrier is needed.
__global__ void ownElements(const int *in, int *out) {
  __shared__ int s[n];
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void byObject(const int *in, int *out) {
  __shared__ int s[n];
  auto pipeline = cuda::make_pipeline();
  pipeline.producer_acquire();
  cuda::memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(int), pipeline);
  pipeline.producer_commit();
  pipeline.consumer_wait();
  __syncthreads();
  out[threadIdx.x] = s[n - 1 - threadIdx.x];
  pipeline.consumer_release();
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 16 * n);
  cudaMalloc(&out, 8 * n);
  cudaMemset(in, 0, 16 * n);
  neverAwaited<<<1, n>>>(in, out);
  awaitedLate<<<1, n>>>(in, out);
  wrongStage<<<1, n>>>(in, out);
  refilledEarly<<<1, n>>>(reinterpret_cast<int4 *>(in), out, 3);
  neverCommitted<<<1, n>>>(in, out);
  stages<<<2, n>>>(in, out, 5);
  ownElements<<<1, n>>>(in, out);
  byObject<<<1, n>>>(in, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
