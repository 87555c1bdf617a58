// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bool in memory, parameters, shared arrays and selects; comparisons as numbers; min/max chains
// and ternaries that a compiler turns into selects.
#include "check.h"

__global__ void selects(const bool *flags, bool invert, const float *x, float *out,
                        bool *outFlags) {
  __shared__ bool shared[64];
  const int t = threadIdx.x;
  shared[t] = flags[t] != invert;
  __syncthreads();
  const bool left = shared[(t + 63) % 64], right = shared[(t + 1) % 64];
  outFlags[t] = left && !right;
  const float v = x[t];
  const float clamped = v < -1 ? -1 : v > 1 ? 1 : v;
  out[t] = clamped + (left + right) * 10 + (left ? right ? 1000 : 2000 : 3000);
}

int main() {
  bool flags[64];
  std::vector<float> x(64);
  for (int i = 0; i < 64; ++i) {
    flags[i] = i * 7 % 5 < 2;
    x[i] = 0.125f * (i - 32);
  }
  bool *deviceFlags = nullptr, *outFlags = nullptr, resultFlags[64];
  CHECK_CUDA(cudaMalloc(&deviceFlags, sizeof flags));
  CHECK_CUDA(cudaMalloc(&outFlags, sizeof flags));
  CHECK_CUDA(cudaMemcpy(deviceFlags, flags, sizeof flags, cudaMemcpyHostToDevice));
  DeviceBuffer<float> in(x), out(64);
  selects<<<1, 64>>>(deviceFlags, true, in, out, outFlags);
  const std::vector<float> result = out.download();
  CHECK_CUDA(cudaMemcpy(resultFlags, outFlags, sizeof flags, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 64; ++t) {
    const bool left = !flags[(t + 63) % 64], right = !flags[(t + 1) % 64];
    const float clamped = x[t] < -1 ? -1 : x[t] > 1 ? 1 : x[t];
    CHECK_EQ(resultFlags[t], left && !right);
    CHECK_EQ(result[t], clamped + (left + right) * 10 + (left ? right ? 1000 : 2000 : 3000));
  }
  CHECK_CUDA(cudaFree(deviceFlags));
  CHECK_CUDA(cudaFree(outFlags));
  RETURN_RESULT();
}
