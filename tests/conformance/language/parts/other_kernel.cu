// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second source file of several_files.cu: a kernel and a static variable of the same names.
#include "several_files.h"

static __constant__ int factor = 3;

static __device__ int scale(int value) { return value * factor; }

namespace {
__global__ void transform(int *data) { data[threadIdx.x] = scale(data[threadIdx.x]); }

} // namespace

void launchOther(int *data, int n) {
  otherHelper<<<1, n>>>(data);
  transform<<<1, n>>>(data);
}
