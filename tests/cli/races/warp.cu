// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of a warp: since Volta they do not run in lockstep.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void mirror(int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;           // race:a
  out[threadIdx.x] = s[31 - threadIdx.x]; // race:a
}
__global__ void mirrorRight(int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = s[31 - threadIdx.x];
}
// The reduction of old textbooks.
__global__ void lockstep(int *out) {
  __shared__ volatile int s[64];
  s[threadIdx.x] = threadIdx.x;
  s[threadIdx.x + 32] = threadIdx.x;
  for (int d = 32; d > 0; d /= 2)
    if (threadIdx.x < d)
      s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + d]; // race:b
  if (threadIdx.x == 0)
    out[0] = s[0];
}
__global__ void lockstepRight(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  s[threadIdx.x + 32] = threadIdx.x;
  __syncwarp();
  for (int d = 32; d > 0; d /= 2) {
    const int more = threadIdx.x < d ? s[threadIdx.x + d] : 0;
    __syncwarp();
    s[threadIdx.x] += more;
    __syncwarp();
  }
  if (threadIdx.x == 0)
    out[0] = s[0];
}
// A shuffle orders no memory.
__global__ void shuffled(int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x; // race:c
  const int other = __shfl_xor_sync(~0u, int(threadIdx.x), 1);
  out[threadIdx.x] = s[other]; // race:c
}
// Half of the warp meets; the other half has not come.
__global__ void halfMet(int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x; // race:d
  __syncwarp(threadIdx.x < 16 ? 0xffff : 0xffff0000);
  out[threadIdx.x] = s[threadIdx.x ^ 16]; // race:d
}
__global__ void halfMetRight(int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp(threadIdx.x < 16 ? 0xffff : 0xffff0000);
  out[threadIdx.x] = s[threadIdx.x ^ 8];
}
__global__ void tiles(int *out) {
  __shared__ int s[32];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  for (int i = 0; i < 3; ++i) {
    s[threadIdx.x] = i;
    tile.sync();
    out[threadIdx.x] += s[threadIdx.x ^ 4];
    tile.sync();
  }
}
// Half of each half reads before what all have written is looked at again.
__global__ void halvesReduce(int *out) {
  __shared__ int s[32];
  const int t = threadIdx.x, mask = t < 16 ? 0xffff : 0xffff0000;
  for (int i = 8; i > 0; i /= 2) {
    s[t] = t;
    __syncwarp(mask);
    if (t % 16 < i)
      out[t] += s[t + i];
    __syncwarp(mask);
  }
}
// One side of a branch writes, the other reads.
__global__ void sides(int *out) {
  __shared__ int s[32];
  if (threadIdx.x % 2)
    s[threadIdx.x] = 1; // race:e
  else
    out[threadIdx.x] = s[threadIdx.x + 1]; // race:e
}
__global__ void sidesRight(int *out) {
  __shared__ int s[32];
  if (threadIdx.x % 2)
    s[threadIdx.x] = 1;
  __syncwarp();
  if (threadIdx.x % 2 == 0)
    out[threadIdx.x] = s[threadIdx.x + 1];
}
// The lanes of a branch among themselves.
__global__ void odd(int *out) {
  __shared__ int s[32];
  const unsigned odd = __ballot_sync(~0u, threadIdx.x % 2);
  if (threadIdx.x % 2) {
    s[threadIdx.x] = 1;
    __syncwarp(odd);
    out[threadIdx.x] = s[threadIdx.x ^ 2];
    __syncwarp(odd);
    s[threadIdx.x ^ 2] = 2;
  }
}

// Two words that PTX stores by one instruction; the second kernel's differ in their second word.
__global__ void pairsOfOneValue(int *out) {
  asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(out), "r"(1), "r"(2)); // same-value-race:f
}
__global__ void pairs(int *out) {
  asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(out), "r"(1), "r"(threadIdx.x)); // race:g
}
__global__ void pairsRight(int *out) {
  asm volatile("st.global.v2.u32 [%0], {%1, %2};" ::"l"(out + 2 * threadIdx.x), "r"(1), "r"(2));
}

int main() {
  int *out;
  cudaMalloc(&out, 4096);
  mirrorRight<<<1, 32>>>(out);
  lockstepRight<<<1, 32>>>(out);
  halfMetRight<<<1, 32>>>(out);
  tiles<<<1, 32>>>(out);
  halvesReduce<<<1, 32>>>(out);
  sidesRight<<<1, 32>>>(out);
  odd<<<1, 32>>>(out);
  pairsRight<<<1, 32>>>(out);
  mirror<<<1, 32>>>(out);
  lockstep<<<1, 32>>>(out);
  shuffled<<<1, 32>>>(out);
  halfMet<<<1, 32>>>(out);
  sides<<<1, 32>>>(out);
  pairsOfOneValue<<<1, 32>>>(out);
  pairs<<<1, 32>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
