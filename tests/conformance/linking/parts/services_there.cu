// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services.h"

#include <cassert>
#include <cstdio>
#include <cstdlib>

__device__ int *makeList(int count) {
  int *list = static_cast<int *>(malloc(sizeof(int) * count));
  for (int i = 0; i < count; ++i)
    list[i] = i + 1;
  return list;
}

__device__ void checkPositive(int value) { assert(value > 0); }

__device__ void addTo(int *sum, int value) { atomicAdd(sum, value); }

__device__ int laneThrice() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return int(lane * 3);
}

__device__ void tell(int thread, int value) { printf("thread %d: %d\n", thread, value); }
