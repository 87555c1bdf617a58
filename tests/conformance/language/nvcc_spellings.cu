// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spellings that nvcc takes and other compilers need not: operands of asm without commas, alignas
// among a variable's words, attributes in any order, a function called __globaltimer.
#include "check.h"

#include <cstdint>

__device__ __forceinline__ unsigned long long __globaltimer() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

struct Scale {
  int by;
  __host__ __device__ [[nodiscard]] constexpr int of(int x) const { return by * x; }
};

template <class T> __global__ static void __launch_bounds__(32) spellings(T *out) {
  __shared__ alignas(16) T tile[33];
  extern __shared__ __align__(128) unsigned char dynamic[];
  T sum;
  asm("add.s32 %0, %1, %2;" : "=r"(sum) : "r"(T(threadIdx.x)) "r"(T(5)));
  tile[threadIdx.x] = sum;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
  if (threadIdx.x == 0) {
    out[32] = T(reinterpret_cast<uintptr_t>(tile) % 16);
    out[33] = T(reinterpret_cast<uintptr_t>(dynamic) % 128);
    out[34] = T(__globaltimer() > 0);
    out[35] = Scale{3}.of(4);
  }
}

void __global__ __launch_bounds__(64) first(int *out) { *out = 1; }
__launch_bounds__(64) void __global__ second(int *out) { *out = 2; }
__forceinline__ static __device__ int three() { return 3; }
int __device__ inline four() { return 4; }
extern "C" void __global__ third(int *out) { *out = 10 * three() + four(); }

int main() {
  DeviceBuffer<int> out(36);
  spellings<int><<<1, 32, 256>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  const std::vector<int> values = out.download();
  for (int i = 0; i < 32; ++i)
    CHECK_EQ(values[i], 31 - i + 5);
  CHECK_EQ(values[32], 0);
  CHECK_EQ(values[33], 0);
  CHECK_EQ(values[34], 1);
  CHECK_EQ(values[35], 12);

  DeviceBuffer<int> one(3);
  first<<<1, 1>>>(one);
  second<<<1, 1>>>(one + 1);
  third<<<1, 1>>>(one + 2);
  const std::vector<int> three_values = one.download();
  CHECK_EQ(three_values[0], 1);
  CHECK_EQ(three_values[1], 2);
  CHECK_EQ(three_values[2], 34);
  RETURN_RESULT();
}
