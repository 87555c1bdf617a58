// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Global memory between blocks: flags, locks, tickets, look-back, scopes.
#include <cstdio>
constexpr int blocks = 8;
__device__ int data[blocks], sums[blocks], total, tickets, lock_word, shared_sum, counter;
__device__ volatile int flags[blocks];
__device__ int order[blocks];

__global__ void neighbours(int *a) {
  a[blockIdx.x] = 1;                         // race:a
  a[blocks] += a[(blockIdx.x + 1) % blocks]; // race:a race:a2 race:a3
}
__global__ void neighboursRight(int *a) { a[blockIdx.x] = 1; }
__global__ void addUp(float *sum) {
  *sum += 1; // race:b race:b2
}
__global__ void addUpRight(float *sum) { atomicAdd(sum, 1.0f); }
__global__ void mixed(int *sum) {
  atomicAdd(sum, 1); // race:c
  if (threadIdx.x == 0)
    data[blockIdx.x] = *sum; // race:c
}
__global__ void ofBlock(int *sum) {
  atomicAdd_block(sum, 1); // atomic-scope:d
}
__global__ void ofBlockRight(int *sum) {
  atomicAdd_block(&sum[blockIdx.x], 1);
  atomicAdd(&sum[blocks], 1);
}

// A chain of blocks: each waits for the one before.
__global__ void chain() {
  if (blockIdx.x > 0)
    while (!flags[blockIdx.x - 1]) {
    }
  data[blockIdx.x] = 1 + (blockIdx.x ? data[blockIdx.x - 1] : 0); // race:e
  flags[blockIdx.x] = 1;
}
__global__ void chainNoAcquire() {
  if (blockIdx.x > 0)
    while (!flags[blockIdx.x - 1]) {
    }
  data[blockIdx.x] = 1 + (blockIdx.x ? data[blockIdx.x - 1] : 0); // race:f
  __threadfence();
  flags[blockIdx.x] = 1;
}
// The fence comes before what it is to publish.
__global__ void chainEarlyFence() {
  if (blockIdx.x > 0)
    while (!flags[blockIdx.x - 1]) {
    }
  __threadfence();
  data[blockIdx.x] = 1 + (blockIdx.x ? data[blockIdx.x - 1] : 0); // race:g
  flags[blockIdx.x] = 1;
}
__global__ void chainNarrowFence() {
  if (blockIdx.x > 0)
    while (!flags[blockIdx.x - 1]) {
    }
  __threadfence_block();
  data[blockIdx.x] = 1 + (blockIdx.x ? data[blockIdx.x - 1] : 0); // race:h
  __threadfence_block();
  flags[blockIdx.x] = 1;
}
__global__ void chainRight() {
  if (blockIdx.x > 0)
    while (!flags[blockIdx.x - 1]) {
    }
  __threadfence();
  data[blockIdx.x] = 1 + (blockIdx.x ? data[blockIdx.x - 1] : 0);
  __threadfence();
  flags[blockIdx.x] = 1;
}

// The last block adds up (CUDA guide, "Memory Fence Functions").
__global__ void last(bool) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = blockIdx.x; // race:i
    is_last = atomicInc(reinterpret_cast<unsigned *>(&tickets), blocks - 1) == blocks - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x < blocks)
    atomicAdd(&total, sums[threadIdx.x]); // race:i
}
__global__ void lastRight() {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = blockIdx.x;
    __threadfence();
    is_last = atomicInc(reinterpret_cast<unsigned *>(&tickets), blocks - 1) == blocks - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x < blocks)
    atomicAdd(&total, sums[threadIdx.x]);
}
// All threads write and fence, one takes the ticket.
__global__ void lastOfAll(int *partial) {
  __shared__ bool is_last;
  partial[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    is_last = atomicAdd(&tickets, 1) == blocks - 1;
  __syncthreads();
  if (is_last) {
    int sum = 0;
    for (int i = threadIdx.x; i < blocks * blockDim.x; i += blockDim.x)
      sum += partial[i];
    atomicAdd(&total, sum);
    if (threadIdx.x == 0)
      tickets = 0;
  }
}

__device__ void lock() {
  while (atomicCAS(&lock_word, 0, 1) != 0) {
  }
}
__device__ void unlock() { atomicExch(&lock_word, 0); }
__global__ void locked() {
  if (threadIdx.x)
    return;
  lock();
  __threadfence();
  shared_sum += 1; // race:j race:j2
  unlock();
}
__global__ void lockedRight() {
  if (threadIdx.x)
    return;
  lock();
  __threadfence();
  shared_sum += 1;
  __threadfence();
  unlock();
}
__global__ void unlocked() {
  if (threadIdx.x)
    return;
  lock();
  __threadfence();
  counter += 1; // race:k
  __threadfence();
  unlock();
  order[blockIdx.x] = counter; // race:k
}

// A barrier of all blocks, by hand.
__global__ void gridBarrier(int *a, int *arrived) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  a[(blockIdx.x + 1) % gridDim.x * blockDim.x + threadIdx.x] += 1;
}
__global__ void gridBarrierNoFence(int *a, int *arrived) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1; // race:l race:l2
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) {
    }
  }
  __syncthreads();
  a[(blockIdx.x + 1) % gridDim.x * blockDim.x + threadIdx.x] += 1; // race:l race:l2
}

// What several blocks have read before they met does not hide what they read after it.
__device__ void meet(int *arrived, int target) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < target) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void readTwice(int *table, int *arrived, int writer) {
  int sum = 0;
#pragma unroll 1
  for (int phase = 1; phase <= 2; ++phase) {
    sum += table[threadIdx.x]; // race:m
    if (phase == 1)
      meet(arrived, gridDim.x);
  }
  if (blockIdx.x == writer)
    table[threadIdx.x] = sum; // race:m
}
__global__ void readTwiceRight(int *table, int *arrived, int writer) {
  int sum = 0;
#pragma unroll 1
  for (int phase = 1; phase <= 2; ++phase) {
    sum += table[threadIdx.x];
    meet(arrived, phase * gridDim.x);
  }
  if (blockIdx.x == writer)
    table[threadIdx.x] = sum;
}
// Many warps read before one of them writes, with no barrier in between.
__global__ void readByWarps(int *table, int *out) {
  out[threadIdx.x] = table[threadIdx.x % 32]; // race:n
  if (threadIdx.x < 32)
    table[threadIdx.x] = 1; // race:n
}
__global__ void readByWarpsRight(int *table, int *out) {
  out[threadIdx.x] = table[threadIdx.x % 32];
  __syncthreads();
  if (threadIdx.x < 32)
    table[threadIdx.x] = 1;
}

// Look-back: state and value in one word, so nothing needs to be fenced.
__device__ unsigned long long states[blocks];
__global__ void lookBack() {
  if (threadIdx.x)
    return;
  unsigned long long before = 0;
  if (blockIdx.x > 0) {
    volatile unsigned long long *state = &states[blockIdx.x - 1];
    do
      before = *state;
    while (before >> 32 == 0);
  }
  atomicExch(&states[blockIdx.x], 1ull << 32 | (unsigned(before) + 1));
}

__global__ void clear(int *a) {
  const int i = threadIdx.x;
  if (i < blocks)
    flags[i] = 0;
  if (i == 0)
    tickets = 0;
  for (int k = i; k < 1024; k += blockDim.x)
    a[k] = 0;
}

// Two flags behind one fence; what another block adds to the first does not come with the second.
__global__ void twoFlags(int *a) {
  if (blockIdx.x == 0) {
    a[0] = 1;
    __threadfence();
    flags[0] = flags[1] = 1;
  } else if (blockIdx.x == 1) {
    while (!flags[0]) {
    }
    a[1] = 2; // race:o
    __threadfence();
    atomicAdd(const_cast<int *>(&flags[0]), 1);
  } else {
    while (!flags[1]) {
    }
    __threadfence();
    a[2] = a[0];
    a[2] += a[1]; // race:o
  }
}

int main() {
  int *a;
  cudaMalloc(&a, 4096);
  const auto clean = [&] { clear<<<1, 64>>>(a); };
  clean();
  neighboursRight<<<blocks, 1>>>(a);
  addUpRight<<<blocks, 32>>>(reinterpret_cast<float *>(a));
  clean();
  ofBlockRight<<<blocks, 32>>>(a);
  chainRight<<<blocks, 1>>>();
  clean();
  lastRight<<<blocks, 32>>>();
  clean();
  lastOfAll<<<blocks, 64>>>(a);
  clean();
  lockedRight<<<blocks, 32>>>();
  gridBarrier<<<blocks, 64>>>(a, a + 1000);
  clean();
  for (int writer = 0; writer < blocks; ++writer) {
    readTwiceRight<<<blocks, 64>>>(a, a + 1000, writer);
    clean();
  }
  readByWarpsRight<<<1, 256>>>(a, a + 500);
  lookBack<<<blocks, 32>>>();
  neighbours<<<blocks, 1>>>(a);
  clean();
  addUp<<<blocks, 1>>>(reinterpret_cast<float *>(a));
  clean();
  mixed<<<blocks, 32>>>(a);
  ofBlock<<<blocks, 32>>>(a);
  clean();
  chain<<<blocks, 1>>>();
  clean();
  chainNoAcquire<<<blocks, 1>>>();
  clean();
  chainEarlyFence<<<blocks, 1>>>();
  clean();
  chainNarrowFence<<<blocks, 1>>>();
  clean();
  last<<<blocks, 32>>>(true);
  clean();
  locked<<<blocks, 32>>>();
  unlocked<<<blocks, 32>>>();
  gridBarrierNoFence<<<blocks, 64>>>(a, a + 1000);
  for (int writer = 0; writer < blocks; ++writer) {
    clean();
    readTwice<<<blocks, 64>>>(a, a + 1000, writer);
  }
  readByWarps<<<1, 256>>>(a, a + 500);
  clean();
  twoFlags<<<3, 1>>>(a);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
