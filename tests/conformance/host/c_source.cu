// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A C file of the program uses the runtime API: the headers are C, and so are structs, enums and
// vector types.
// also: parts/runtime_in_c.c
#include "check.h"

extern "C" int useRuntimeFromC(int *data, int n);
extern "C" void launchFromC(int *data, int n, struct float2 factor);

__global__ void scale(int *data, float2 factor) {
  data[threadIdx.x] = int(data[threadIdx.x] * factor.x + factor.y);
}

extern "C" void launchFromC(int *data, int n, float2 factor) { scale<<<1, n>>>(data, factor); }

int main() {
  const int n = 16;
  int data[n];
  for (int i = 0; i < n; ++i)
    data[i] = i;
  CHECK_EQ(useRuntimeFromC(data, n), 0);
  for (int i = 0; i < n; ++i)
    CHECK_EQ(data[i], 2 * i + 1);
  RETURN_RESULT();
}
