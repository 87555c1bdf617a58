// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::atomic, cuda::barrier, cuda::pipeline, cooperative groups.
// flags: -std=c++17
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
constexpr int n = 64, blocks = 4;
__device__ cuda::atomic<int, cuda::thread_scope_device> ready[blocks];
__device__ cuda::atomic<int, cuda::thread_scope_block> narrow_ready[blocks];
__device__ int data[blocks];

__global__ void message() {
  if (blockIdx.x > 0)
    while (ready[blockIdx.x - 1].load(cuda::memory_order_acquire) == 0) {
    }
  data[blockIdx.x] = 1 + (blockIdx.x ? data[blockIdx.x - 1] : 0);
  ready[blockIdx.x].store(1, cuda::memory_order_release);
}
__global__ void relaxed() {
  if (blockIdx.x > 0)
    while (ready[blockIdx.x - 1].load(cuda::memory_order_relaxed) == 0) {
    }
  data[blockIdx.x] = 1 + (blockIdx.x ? data[blockIdx.x - 1] : 0); // race:a
  ready[blockIdx.x].store(1, cuda::memory_order_relaxed);
}
__global__ void clear() {
  for (int i = 0; i < blocks; ++i)
    ready[i].store(0, cuda::memory_order_relaxed);
}

__global__ void arrive(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int s[n];
  if (threadIdx.x == 0)
    init(&barrier, n);
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    s[threadIdx.x] = i;
    barrier.arrive_and_wait();
    out[threadIdx.x] += s[n - 1 - threadIdx.x];
    barrier.arrive_and_wait();
  }
}
__global__ void arriveWrong(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int s[n];
  if (threadIdx.x == 0)
    init(&barrier, n);
  __syncthreads();
  auto token = barrier.arrive();
  s[threadIdx.x] = 1; // race:b
  barrier.wait(std::move(token));
  out[threadIdx.x] += s[n - 1 - threadIdx.x]; // race:b
}
__global__ void async(int *out, const int *in) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int s[n];
  if (threadIdx.x == 0)
    init(&barrier, n);
  __syncthreads();
  cuda::memcpy_async(&s[threadIdx.x], in + threadIdx.x, sizeof(int), barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = s[n - 1 - threadIdx.x];
}
__global__ void pipe(int *out, const int *in) {
  __shared__ int s[2][n];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  for (int i = 0; i < 2; ++i) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&s[i][threadIdx.x], in + threadIdx.x, sizeof(int), pipeline);
    pipeline.producer_commit();
  }
  for (int i = 0; i < 2; ++i) {
    pipeline.consumer_wait();
    out[threadIdx.x] += s[i][n - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
}

__global__ void groups(int *out) {
  __shared__ int s[n];
  auto block = cg::this_thread_block();
  s[block.thread_rank()] = 1;
  block.sync();
  out[block.thread_rank()] = s[n - 1 - block.thread_rank()];
}
__global__ void grid(int *out) {
  auto all = cg::this_grid();
  out[all.thread_rank()] = 1;
  all.sync();
  out[n * blocks + all.thread_rank()] = out[(all.thread_rank() + n) % (n * blocks)];
}
__global__ void gridWrong(int *out) {
  auto all = cg::this_grid();
  out[all.thread_rank()] = 1; // race:c
  cg::this_thread_block().sync();
  out[n * blocks + all.thread_rank()] = out[(all.thread_rank() + n) % (n * blocks)]; // race:c
}

int main() {
  int *out, *in;
  cudaMalloc(&out, 8192);
  cudaMalloc(&in, 4096);
  cudaMemset(in, 0, 4096);
  message<<<blocks, 1>>>();
  clear<<<1, 1>>>();
  arrive<<<1, n>>>(out);
  async<<<1, n>>>(out, in);
  pipe<<<1, n>>>(out, in);
  groups<<<1, n>>>(out);
  void *arguments[] = {&out};
  cudaLaunchCooperativeKernel((void *)grid, blocks, n, arguments, 0, 0);
  relaxed<<<blocks, 1>>>();
  arriveWrong<<<1, n>>>(out);
  gridWrong<<<blocks, n>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
