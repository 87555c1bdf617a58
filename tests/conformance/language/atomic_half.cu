// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomicAdd on __half2 and __half: exact small sums.
#include "check.h"
#include <cuda_fp16.h>

__global__ void addHalves(__half2 *pair, __half *single) {
  atomicAdd(pair, __floats2half2_rn(0.5f, -1.0f));
  atomicAdd(single, __float2half(0.25f));
}

__global__ void toFloat(const __half2 *pair, const __half *single, float *out) {
  out[0] = __low2float(*pair);
  out[1] = __high2float(*pair);
  out[2] = __half2float(*single);
}

int main() {
  DeviceBuffer<__half2> pair(1);
  DeviceBuffer<__half> single(2);
  DeviceBuffer<float> out(3);
  addHalves<<<4, 50>>>(pair, single);
  toFloat<<<1, 1>>>(pair, single, out);
  const std::vector<float> result = out.download();
  CHECK_EQ(result[0], 100);
  CHECK_EQ(result[1], -200);
  CHECK_EQ(result[2], 50);
  RETURN_RESULT();
}
