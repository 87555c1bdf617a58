// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 5-point average with a shared halo, and a wide 1-D convolution with a __constant__ filter: the
// halo of each block and the array's ends are where it breaks.
#include "check.h"

const int blockSize = 256, halo = 2, radius = 8;

__constant__ float filter[2 * radius + 1];

__global__ void average5(const float *in, float *out, int n) {
  __shared__ float shared[blockSize + 2 * halo];
  const int t = threadIdx.x, i = blockIdx.x * blockSize + t;
  shared[t + halo] = i < n ? in[i] : 0;
  if (t < halo)
    shared[t] = i >= halo ? in[i - halo] : 0;
  if (t >= blockSize - halo)
    shared[t + 2 * halo] = i + halo < n ? in[i + halo] : 0;
  __syncthreads();
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += shared[t + k];
  out[i] = sum / 5;
}

__global__ void convolve(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = -radius; k <= radius; ++k)
    if (i + k >= 0 && i + k < n)
      sum += filter[k + radius] * in[i + k];
  out[i] = sum;
}

int main() {
  float host[2 * radius + 1];
  for (int k = 0; k <= 2 * radius; ++k)
    host[k] = 1.0f / (1 + k);
  CHECK_CUDA(cudaMemcpyToSymbol(filter, host, sizeof host));
  for (int n : {4096, 1000, 3}) {
    std::vector<float> values(n);
    for (int i = 0; i < n; ++i)
      values[i] = float(i * 31 % 17);
    DeviceBuffer<float> in(values), averages(n), convolved(n);
    average5<<<(n + blockSize - 1) / blockSize, blockSize>>>(in, averages, n);
    convolve<<<(n + 127) / 128, 128>>>(in, convolved, n);
    const std::vector<float> a = averages.download(), c = convolved.download();
    for (int i = 0; i < n; ++i) {
      double sum = 0, product = 0;
      for (int k = -radius; k <= radius; ++k)
        if (i + k >= 0 && i + k < n) {
          sum += k >= -halo && k <= halo ? values[i + k] : 0;
          product += double(host[k + radius]) * values[i + k];
        }
      CHECK_NEAR(a[i], sum / 5, 1e-5);
      CHECK_NEAR(c[i], product, 1e-4);
    }
  }
  RETURN_RESULT();
}
