// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduction in global memory only, log2(n) launches in place: each launch must see all that the
// launch before wrote. 2^24 floats from srand(2019) sum to 8387302.3.
#include "check.h"
#include "random_floats.h"

__global__ void addUpperHalf(float *data, int half) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half)
    data[i] += data[i + half];
}

// In place with a stride that grows: element i * 2 * stride takes its neighbour's value.
__global__ void addNeighbours(float *data, int stride, int n) {
  const long long i = 2LL * stride * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + stride < n)
    data[i] += data[i + stride];
}

int main() {
  const int n = 1 << 24;
  const std::vector<float> values = randomFloats(n);
  const double expected = sumOf(values);
  CHECK_NEAR(expected, 8387302.3, 0.05);
  DeviceBuffer<float> data(values);
  for (int half = n / 2; half > 0; half /= 2)
    addUpperHalf<<<(half + 255) / 256, 256>>>(data, half);
  CHECK_NEAR(data.download()[0], expected, 1e-5 * expected);
  data.upload(values);
  for (int stride = 1; stride < n; stride *= 2)
    addNeighbours<<<(n / 2 / stride + 255) / 256, 256>>>(data, stride, n);
  CHECK_NEAR(data.download()[0], expected, 1e-5 * expected);
  RETURN_RESULT();
}
