// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __device__ variables keep their values between launches, start with their initial values or
// zero, and are seen by all blocks.
#include "check.h"

__device__ int counter = 5;
__device__ double zeroed[3];
__device__ float initialised[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ const char text[] = "device";
static __device__ short hidden = -7;

__global__ void change() {
  atomicAdd(&counter, 1);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    zeroed[1] += 2.5;
    initialised[1][2] += hidden;
  }
}

__global__ void readAll(double *out) {
  out[0] = counter;
  out[1] = zeroed[0] + zeroed[2];
  out[2] = zeroed[1];
  out[3] = initialised[1][2];
  out[4] = initialised[0][1];
  out[5] = text[0] + text[6];
}

int main() {
  change<<<3, 20>>>();
  change<<<1, 1>>>();
  DeviceBuffer<double> out(6);
  readAll<<<1, 1>>>(out);
  const double expected[6] = {66, 0, 5, -8, 2, 'd'};
  const std::vector<double> result = out.download();
  for (int i = 0; i < 6; ++i)
    CHECK_EQ(result[i], expected[i]);
  int host = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&host, counter, sizeof host));
  CHECK_EQ(host, 66);
  RETURN_RESULT();
}
