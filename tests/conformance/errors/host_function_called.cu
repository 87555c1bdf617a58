// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that comes to a call of a host function ends the kernel, and stderr names the function.
// flags: -lineinfo
// stderr-contains: device code called the __host__ function Host::only
// stderr-contains: thread (3,0,0)
// stderr-contains: host_function_called.cu:16
// hardware: skip nvcc does not say what happens
#include "check.h"

struct Host {
  static int only(int x) { return x + 1; }
};

__host__ __device__ int both(int x) {
  if (x == 3)
    return Host::only(x);
  return x;
}

__global__ void callBoth(int *out) { out[threadIdx.x] = both(int(threadIdx.x)); }

int main() {
  int *out;
  CHECK_CUDA(cudaMalloc(&out, 32 * sizeof(int)));
  callBoth<<<1, 3>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  callBoth<<<1, 32>>>(out);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  CHECK_EQ(both(3), 4);
  RETURN_RESULT();
}
