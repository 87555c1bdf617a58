// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More dynamic shared memory than a block may have without opting in, alone and together with
// static shared memory.
#include "check.h"

extern __shared__ int dynamic[];

__global__ void useDynamic(int *out) {
  dynamic[threadIdx.x] = threadIdx.x;
  *out = dynamic[0] + 1;
}

__global__ void useBoth(int *out) {
  __shared__ int fixed[1024];
  fixed[threadIdx.x] = dynamic[threadIdx.x] = 1;
  *out = fixed[0] + dynamic[0];
}

int main() {
  DeviceBuffer<int> out(1);
  useDynamic<<<1, 32, 49152 + 4>>>(out);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  useDynamic<<<1, 32, size_t(1) << 30>>>(out);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  useBoth<<<1, 32, 49152 - 4096 + 4>>>(out);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_EQ(out.download()[0], 0);
  useBoth<<<1, 32, 49152 - 4096>>>(out);
  CHECK_EQ(out.download()[0], 2);
  RETURN_RESULT();
}
