// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers by hand of two launches that run side by side.
#include <cstdio>
struct Barrier {
  unsigned arrived, generation;
};
// All blocks of both launches; what was written before is seen behind it.
__device__ void meet(Barrier *barrier, unsigned blocks, unsigned round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(&barrier->arrived, 1) == blocks - 1) {
      barrier->arrived = 0;
      __threadfence();
      atomicAdd(&barrier->generation, 1);
    } else {
      while (atomicAdd(&barrier->generation, 0) < round)
        ;
    }
    __threadfence();
  }
  __syncthreads();
}
// Each launch writes its half and reads the other's, round after round.
__global__ void exchange(Barrier *barrier, int *data, int mine, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  int sum = 0;
  for (unsigned round = 1; round <= 3; ++round) {
    data[mine * n + i] = i + round;
    meet(barrier, 2 * gridDim.x, 2 * round - 1);
    sum += data[(1 - mine) * n + (n - 1 - i)];
    meet(barrier, 2 * gridDim.x, 2 * round);
  }
  out[mine * n + i] = sum;
}
// The same, but for the barrier between a round's reads and the next one's writes.
__global__ void hurry(Barrier *barrier, int *data, int mine, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  int sum = 0;
  for (unsigned round = 1; round <= 3; ++round) {
    data[mine * n + i] = i + round; // race:a
    meet(barrier, 2 * gridDim.x, round);
    sum += data[(1 - mine) * n + (n - 1 - i)]; // race:a
  }
  out[mine * n + i] = sum;
}
int main() {
  Barrier *barriers;
  int *data, *out;
  cudaMalloc(&barriers, 2 * sizeof(Barrier));
  cudaMalloc(&data, 2 * 256 * sizeof(int));
  cudaMalloc(&out, 2 * 256 * sizeof(int));
  cudaMemset(barriers, 0, 2 * sizeof(Barrier));
  cudaDeviceSynchronize();
  cudaStream_t streams[2];
  for (cudaStream_t &stream : streams)
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (int mine : {0, 1})
    exchange<<<2, 64, 0, streams[mine]>>>(barriers, data, mine, out);
  cudaDeviceSynchronize();
  for (int mine : {0, 1})
    hurry<<<2, 64, 0, streams[mine]>>>(barriers + 1, data + 256, mine, out + 256);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
