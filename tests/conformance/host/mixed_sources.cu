// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of a .cu file with main, another with kernels and a .cpp file that uses the runtime
// API; host objects call each other in all directions.
// also: parts/mixed_kernels.cu parts/mixed_host.cpp
#include "check.h"
#include "parts/mixed.h"

__global__ void addOne(int *data) { data[threadIdx.x] += 1; }

void launchAddOne(int *data, int n) { addOne<<<1, n>>>(data); }

int main() {
  CHECK_EQ(runInCpp(32), 32 * ((3 + 1) * 2)); // the .cpp calls back into both .cu files
  RETURN_RESULT();
}
