// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clock, clock64 and the global timer do not go back within a thread and grow over a loop;
// __nanosleep lets at least some time pass.
#include "check.h"

__global__ void measure(long long *out, volatile int *memory) {
  const long long start = clock64();
  const clock_t shortStart = clock();
  unsigned long long timerStart, timerEnd;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timerStart));
  for (int i = 0; i < 1000; ++i)
    *memory = *memory + 1;
  __nanosleep(1000);
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timerEnd));
  out[0] = clock64() - start;
  out[1] = clock() != shortStart;
  out[2] = (long long)(timerEnd - timerStart);
  out[3] = *memory;
  long long last = clock64();
  out[4] = 1;
  for (int i = 0; i < 100; ++i) {
    const long long now = clock64();
    out[4] &= now >= last;
    last = now;
  }
}

int main() {
  DeviceBuffer<long long> out(5);
  DeviceBuffer<int> memory(1);
  measure<<<1, 1>>>(out, memory.data());
  const std::vector<long long> result = out.download();
  CHECK(result[0] > 0);
  CHECK_EQ(result[1], 1);
  CHECK(result[2] >= 0);
  CHECK_EQ(result[3], 1000);
  CHECK_EQ(result[4], 1);
  RETURN_RESULT();
}
