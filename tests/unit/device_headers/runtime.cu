// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built-in variables, the C library on the device, barriers and fences.
#include <assert.h>
#include <stdio.h>

struct Pair {
  int a, b;
  __device__ Pair(int x) : a(x), b(x) {}
  __device__ virtual ~Pair() {}
  __device__ virtual int sum() { return a + b; }
};

__device__ unsigned takesDim3(dim3 d) { return d.x; }
__device__ unsigned takesUint3(const uint3 &u) { return u.x; }
template <typename T> __device__ unsigned takesAny(T t) { return t.x + t.y + t.z; }

// CUDA has no function of this name, so programs define it.
__device__ __forceinline__ unsigned long long __globaltimer() {
  return (unsigned long long)clock64();
}

__global__ void variables(unsigned *out) {
  auto copy = threadIdx;
  dim3 block = blockDim;
  uint3 index = blockIdx;
  const uint3 &reference = threadIdx;
  out[0] = copy.x + copy.y + copy.z + block.x + index.y + reference.z + warpSize;
  out[1] = takesDim3(gridDim) + takesUint3(threadIdx) + takesAny(blockIdx) + takesAny(blockDim);
  out[2] = gridDim.x * gridDim.y * gridDim.z + blockDim.y + blockDim.z + blockIdx.x + blockIdx.z;
  unsigned lane = threadIdx.x % warpSize;
  int linear = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[3] = lane + linear;
}

__global__ void library(int *out, char *bytes, unsigned n) {
  printf("%d\n", 1);
  printf("no arguments\n");
  out[0] = printf("%s %f %lld %c %p\n", "text", 1.5f, 3ll, 'c', (void *)out);
  int *heap = (int *)malloc(16);
  memset(heap, 0, 16);
  memcpy(out, heap, 16);
  memmove(bytes, bytes + 1, n);
  free(heap);
  void *zeroed = calloc(4, n);
  free(zeroed);
  Pair *pair = new Pair(3);
  out[1] = pair->sum();
  delete pair;
  double *many = new double[n];
  out[2] = (int)many[0];
  delete[] many;
  alignas(8) char storage[sizeof(Pair)];
  Pair *placed = new (storage) Pair(4);
  out[3] = placed->b;
  placed->~Pair();
  assert(out[0] > 0);
  clock_t ticks = clock();
  long long ticks64 = clock64();
  out[4] = (int)(ticks + ticks64 + (long long)__globaltimer());
  __nanosleep(100);
  __prof_trigger(0);
  __assume(out[5] > 0);
  __builtin_assume(n > 0);
  int *aligned = (int *)__builtin_assume_aligned(out, 16);
  aligned[6] = out[5] > 0 ? 1 : 2;
  if (n == 7)
    __trap();
  if (n == 8)
    __brkpt();
}

extern __shared__ int dynamic_shared[];

__global__ void barriers(int *out) {
  __shared__ int fixed[32];
  fixed[threadIdx.x] = dynamic_shared[threadIdx.x];
  __syncthreads();
  out[0] = __syncthreads_count(fixed[0]) + __syncthreads_and(fixed[1]) + __syncthreads_or(fixed[2]);
  __barrier_sync(0);
  __barrier_sync_count(1, 64);
  __syncwarp();
  __syncwarp(0xffffu);
  __threadfence();
  __threadfence_block();
  __threadfence_system();
}

__global__ void engine(unsigned *out) {
  __heddle_grid_sync();
  out[0] = __heddle_dynamic_smem_size() + __heddle_total_smem_size() + __heddle_is_cooperative();
}

int main() {
  variables<<<1, 1>>>(nullptr);
  library<<<dim3(2, 2), dim3(8, 8)>>>(nullptr, nullptr, 1);
  barriers<<<1, 32, 128>>>(nullptr);
  engine<<<1, 1>>>(nullptr);
  return printf("host\n") > 0 ? 0 : 1;
}

// Wherever a program may write threadIdx.
template <typename T> __device__ T larger(const T &a, const T &b) { return a > b ? a : b; }
__global__ void expressions(unsigned *out, int n) {
  out[0] = larger(threadIdx.x, 5u) + (n > 1 ? threadIdx.y : 0);
  uint3 parts = {threadIdx.x, threadIdx.y, threadIdx.z};
  auto lambda = [=](int i) { return i + threadIdx.x + parts.x; };
  out[1] = lambda(n);
  switch (threadIdx.x) {
  case 0:
    out[2] = sizeof(threadIdx.x);
    break;
  default:
    out[2] = -threadIdx.x;
  }
  for (unsigned i = threadIdx.x; i < blockDim.x; i += blockDim.x)
    out[i] = (float)threadIdx.x / blockDim.x;
  const auto &reference = blockDim;
  out[3] = reference.x + static_cast<int>(gridDim.y);
  static_assert(sizeof(decltype(threadIdx.x)) == 4, "an unsigned int");
}
