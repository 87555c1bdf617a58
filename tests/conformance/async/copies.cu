// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cp.async of 4, 8 and 16 bytes, with zeros for what is left out, in groups and told to a barrier
// (PTX ISA, "cp.async").
// flags: -arch=sm_80
// env: HEDDLE_GPU=a100
#include "check.h"

__device__ unsigned addressOf(const void *shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

__global__ void sizes(const unsigned *in, unsigned *out) {
  alignas(16) __shared__ unsigned tile[3][128];
  const unsigned i = threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(addressOf(&tile[0][i])), "l"(in + i)
               : "memory");
  if (i < 64)
    asm volatile(
        "cp.async.ca.shared::cta.global.L2::128B [%0], [%1], 8;" ::"r"(addressOf(&tile[1][2 * i])),
        "l"(in + 2 * i)
        : "memory");
  if (i < 32)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(addressOf(&tile[2][4 * i])),
                 "l"(in + 4 * i)
                 : "memory");
  asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  for (int k = 0; k < 3; ++k)
    out[k * 128 + i] = tile[k][127 - i];
}

// Thread i copies the first i % 17 of 16 bytes.
__global__ void partly(const unsigned char *in, unsigned char *out) {
  alignas(16) __shared__ unsigned char tile[64][16];
  const unsigned i = threadIdx.x;
  for (int k = 0; k < 16; ++k)
    tile[i][k] = 0xee;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(addressOf(tile[i])),
               "l"(in + 16 * i), "r"(i % 17)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  for (int k = 0; k < 16; ++k)
    out[16 * i + k] = tile[i][k];
}

// Two tiles in flight; the older one is waited for.
__global__ void pipeline(const unsigned *in, unsigned *out, int tiles) {
  __shared__ unsigned tile[2][64];
  const unsigned i = threadIdx.x;
  unsigned sum = 0;
  for (int k = 0; k <= tiles; ++k) {
    if (k < tiles)
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(addressOf(&tile[k % 2][i])),
                   "l"(in + 64 * k + i)
                   : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    if (k > 0)
      sum = sum * 31 + tile[(k - 1) % 2][63 - i];
    __syncthreads();
  }
  out[i] = sum;
}

// The barrier expects the copies of all threads, and no arrivals of their own.
__global__ void toldToBarrier(const unsigned *in, unsigned *out) {
  alignas(8) __shared__ unsigned long long barrier;
  __shared__ unsigned tile[128];
  const unsigned i = threadIdx.x;
  if (i == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 128;" ::"r"(addressOf(&barrier)) : "memory");
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(addressOf(&tile[i])), "l"(in + i)
               : "memory");
  if (i < 64) { // counted by itself …
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(addressOf(&barrier))
                 : "memory");
  } else { // … or beside the thread's own arrival
    unsigned long long state;
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%1];\n\t"
                 "mbarrier.arrive.shared.b64 %0, [%1];"
                 : "=l"(state)
                 : "r"(addressOf(&barrier))
                 : "memory");
  }
  unsigned over = 0;
  while (!over)
    asm volatile("{ .reg .pred p;\n"
                 "  mbarrier.test_wait.parity.shared.b64 p, [%1], 0;\n"
                 "  selp.u32 %0, 1, 0, p; }"
                 : "=r"(over)
                 : "r"(addressOf(&barrier))
                 : "memory");
  out[i] = tile[127 - i];
}

int main() {
  std::vector<unsigned> numbers(64 * 9);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = unsigned(i * 2654435761u);
  DeviceBuffer<unsigned> in(numbers), out(3 * 128);
  sizes<<<1, 128>>>(in, out);
  std::vector<unsigned> got = out.download();
  for (int i = 0; i < 3 * 128; ++i)
    CHECK_EQ(got[i], numbers[127 - i % 128]);
  partly<<<1, 64>>>(reinterpret_cast<const unsigned char *>(in.data()),
                    reinterpret_cast<unsigned char *>(out.data()));
  got = out.download();
  for (int i = 0; i < 64 * 16; ++i) {
    const unsigned char *want = reinterpret_cast<unsigned char *>(numbers.data()) + i;
    CHECK_EQ(reinterpret_cast<unsigned char *>(got.data())[i], i % 16 < i / 16 % 17 ? *want : 0);
  }
  pipeline<<<1, 64>>>(in, out, 9);
  got = out.download();
  for (int i = 0; i < 64; ++i) {
    unsigned sum = 0;
    for (int k = 0; k < 9; ++k)
      sum = sum * 31 + numbers[64 * k + 63 - i];
    CHECK_EQ(got[i], sum);
  }
  toldToBarrier<<<1, 128>>>(in, out);
  got = out.download();
  for (int i = 0; i < 128; ++i)
    CHECK_EQ(got[i], numbers[127 - i]);
  RETURN_RESULT();
}
