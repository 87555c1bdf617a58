// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory between the barriers of a block. Each wrong kernel stands before its repair.
#include <cstdio>
constexpr int n = 64;

__global__ void mirror(int *out) {
  __shared__ int s[n];
  s[threadIdx.x] = threadIdx.x;              // race:a
  out[threadIdx.x] = s[n - 1 - threadIdx.x]; // race:a
}
__global__ void mirrorRight(int *out) {
  __shared__ int s[n];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[n - 1 - threadIdx.x];
}

// The second round overwrites what others still read.
__global__ void rounds(int *out) {
  __shared__ int s[n];
  for (int i = 0; i < 3; ++i) {
    s[threadIdx.x] = i; // race:b
    __syncthreads();
    out[threadIdx.x] += s[n - 1 - threadIdx.x]; // race:b
  }
}
__global__ void roundsRight(int *out) {
  __shared__ int s[n];
  for (int i = 0; i < 3; ++i) {
    s[threadIdx.x] = i;
    __syncthreads();
    out[threadIdx.x] += s[n - 1 - threadIdx.x];
    __syncthreads();
  }
}

__global__ void tree(int *out) {
  __shared__ int s[n];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int d = n / 2; d > 0; d /= 2)
    if (threadIdx.x < d)
      s[threadIdx.x] += s[threadIdx.x + d]; // race:c
  __syncthreads();
  out[threadIdx.x] = s[0];
}
__global__ void treeRight(int *out) {
  __shared__ int s[n];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (int d = n / 2; d > 0; d /= 2) {
    if (threadIdx.x < d)
      s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  out[threadIdx.x] = s[0];
}

__global__ void scalar(int *out) {
  __shared__ int total;
  if (threadIdx.x == 0)
    total = 5;              // race:d
  out[threadIdx.x] = total; // race:d
}
__global__ void scalarRight(int *out) {
  __shared__ int total;
  if (threadIdx.x == 0)
    total = 5;
  __syncthreads();
  out[threadIdx.x] = total;
}

__global__ void count(int *out) {
  __shared__ int bins[4];
  if (threadIdx.x < 4)
    bins[threadIdx.x] = 0;
  __syncthreads();
  bins[threadIdx.x % 4]++; // race:e
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x % 4];
}
__global__ void countRight(int *out) {
  __shared__ int bins[4];
  if (threadIdx.x < 4)
    bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % 4], 1);
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x % 4];
}

// Zeroed by one warp, counted in by all.
__global__ void zeroes(int *out) {
  __shared__ int bins[32];
  if (threadIdx.x < 32)
    bins[threadIdx.x] = 0;               // race:f
  atomicAdd(&bins[threadIdx.x % 32], 1); // race:f
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x % 32];
}
// Counted, and read before all have.
__global__ void early(int *out) {
  __shared__ int bins[32];
  if (threadIdx.x < 32)
    bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x % 32], 1);           // race:g
  out[threadIdx.x] = bins[(threadIdx.x + 1) % 32]; // race:g
}

__global__ void bytes(int *out) {
  __shared__ char s[n];
  s[threadIdx.x] = char(threadIdx.x);     // race:h
  out[threadIdx.x] = s[threadIdx.x ^ 32]; // race:h
}
// Neighbours in a word are not in each other's way.
__global__ void bytesRight(int *out) {
  __shared__ char s[n];
  s[threadIdx.x] = char(threadIdx.x);
  out[threadIdx.x] = s[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] += s[threadIdx.x ^ 32];
}
__global__ void wide(float4 *out) {
  __shared__ float s[4 * n];
  for (int i = 0; i < 4; ++i)
    s[4 * threadIdx.x + i] = i;                                          // race:i
  out[threadIdx.x] = reinterpret_cast<float4 *>(s)[n - 1 - threadIdx.x]; // race:i
}

// All write the same.
__global__ void flag(int *out) {
  __shared__ int any;
  any = 1; // same-value-race:j
  __syncthreads();
  out[threadIdx.x] = any;
}
__global__ void flagRight(int *out) {
  __shared__ int any;
  if (threadIdx.x == 0)
    any = 1;
  __syncthreads();
  out[threadIdx.x] = any;
}
__global__ void choose(int *out) {
  __shared__ int last;
  last = threadIdx.x; // race:k
  __syncthreads();
  out[threadIdx.x] = last;
}

// Producers and consumers, with named barriers.
__global__ void named(int *out) {
  __shared__ int s[32];
  if (threadIdx.x < 32) {
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    s[threadIdx.x] = threadIdx.x; // race:l
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = s[threadIdx.x - 32]; // race:l
  }
}
__global__ void namedRight(int *out) {
  __shared__ int s[32];
  if (threadIdx.x < 32) {
    s[threadIdx.x] = threadIdx.x;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = s[threadIdx.x - 32];
  }
}

int main() {
  int *out;
  cudaMalloc(&out, 4096);
  mirrorRight<<<1, n>>>(out);
  roundsRight<<<1, n>>>(out);
  treeRight<<<1, n>>>(out);
  scalarRight<<<1, n>>>(out);
  countRight<<<1, n>>>(out);
  bytesRight<<<1, n>>>(out);
  flagRight<<<1, n>>>(out);
  namedRight<<<1, n>>>(out);
  mirror<<<1, n>>>(out);
  rounds<<<1, n>>>(out);
  tree<<<1, n>>>(out);
  scalar<<<1, n>>>(out);
  count<<<1, n>>>(out);
  zeroes<<<1, n>>>(out);
  early<<<1, n>>>(out);
  bytes<<<1, n>>>(out);
  wide<<<1, n>>>(reinterpret_cast<float4 *>(out));
  named<<<1, n>>>(out);
  flag<<<1, n>>>(out);
  choose<<<1, n>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
