// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX that loads, stores and adds in global and shared memory with cvta-converted
// addresses.
#include "check.h"

__global__ void move(const int *in, int *out) {
  __shared__ int shared[32];
  const int t = threadIdx.x;
  int value;
  asm volatile("ld.global.s32 %0, [%1];" : "=r"(value) : "l"(in + t));
  const unsigned address = unsigned(__cvta_generic_to_shared(&shared[t]));
  asm volatile("st.shared.s32 [%0], %1;" ::"r"(address), "r"(value * 2) : "memory");
  __syncthreads();
  const unsigned other = unsigned(__cvta_generic_to_shared(&shared[31 - t]));
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(value) : "r"(other) : "memory");
  int old;
  asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(old) : "l"(out + 32), "r"(value));
  asm volatile("st.global.s32 [%0], %1;" ::"l"(out + t), "r"(value) : "memory");
}

int main() {
  std::vector<int> values(32);
  for (int i = 0; i < 32; ++i)
    values[i] = i + 1;
  DeviceBuffer<int> in(values), out(33);
  move<<<1, 32>>>(in, out);
  const std::vector<int> result = out.download();
  for (int i = 0; i < 32; ++i)
    CHECK_EQ(result[i], 2 * (32 - i));
  CHECK_EQ(result[32], 32 * 33);
  RETURN_RESULT();
}
