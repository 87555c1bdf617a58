// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, functions and kernels of the same names in two files, static or in unnamed namespaces:
// each file has its own.
// flags: -rdc=true
// also: parts/statics_there.cu
#include "check.h"
#include "parts/statics.h"

static __device__ int counter = 1;
static __constant__ int factor = 2;

static __device__ int scaled(int value) { return value * factor; }

static __global__ void count(int *out) { *out = scaled(counter++); }

namespace {
__device__ int hidden = 5;
__global__ void showHidden(int *out) { *out = hidden; }
} // namespace

int main() {
  DeviceBuffer<int> out(1);
  count<<<1, 1>>>(out);
  CHECK_EQ(out.download()[0], 2);
  countThere(out);
  CHECK_EQ(out.download()[0], 300);
  int value = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  CHECK_EQ(value, 2);
  value = 20;
  CHECK_CUDA(cudaMemcpyToSymbol(counter, &value, sizeof value));
  value = 7;
  CHECK_CUDA(cudaMemcpyToSymbol(factor, &value, sizeof value));
  count<<<1, 1>>>(out);
  CHECK_EQ(out.download()[0], 140);
  countThere(out);
  CHECK_EQ(out.download()[0], 303);
  CHECK_EQ(counterThere(), 102);

  showHidden<<<1, 1>>>(out);
  CHECK_EQ(out.download()[0], 5);
  showHiddenThere(out);
  CHECK_EQ(out.download()[0], 50);
  RETURN_RESULT();
}
