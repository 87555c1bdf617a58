// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers and operations of warps that not all threads come to.
#include <cstdio>
constexpr int n = 64;

__global__ void branch(int *out) {
  if (threadIdx.x < 32)
    __syncthreads(); // different-barriers:a
  else
    __syncthreads(); // different-barriers:a
  out[threadIdx.x] = 1;
}
__global__ void leave(int *out, int count) {
  if (threadIdx.x >= count)
    return;
  __syncthreads(); // barrier-not-reached:b
  out[threadIdx.x] = 1;
}
__global__ void leaveRight(int *out, int count) {
  if (threadIdx.x < count)
    out[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x < count)
    out[threadIdx.x] += 1;
}
__global__ void lacks(int *out) {
  if (threadIdx.x < 8)
    out[threadIdx.x] =
        __any_sync(threadIdx.x < 7 ? 0x7f : 0x7f, threadIdx.x); // mask-lacks-caller:c
}
__global__ void inactive(int *out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_down_sync(0xffff, int(threadIdx.x), 8); // inactive-source:d
}
__global__ void inactiveRight(int *out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_down_sync(0xffff, int(threadIdx.x), 8, 16);
}
__global__ void partial(int *out) {
  __syncwarp();
  out[threadIdx.x] = __shfl_sync(~0u, int(threadIdx.x), 0);
}
__global__ void converge(int *out) {
  if (threadIdx.x % 2)
    out[threadIdx.x] = 1;
  __syncwarp();
  __syncthreads();
}

int main() {
  int *out;
  cudaMalloc(&out, 4096);
  leaveRight<<<1, n>>>(out, 40);
  inactiveRight<<<1, 32>>>(out);
  partial<<<1, 48>>>(out);
  converge<<<1, n>>>(out);
  branch<<<1, n>>>(out);
  leave<<<1, n>>>(out, 40);
  lacks<<<1, 32>>>(out);
  inactive<<<1, 32>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
