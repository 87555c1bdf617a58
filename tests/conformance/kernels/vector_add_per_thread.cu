// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector addition with several elements a thread (two adjacent, two a block apart, grid-stride,
// float4): each element must be added once whatever the mapping.
#include "check.h"

__global__ void addAdjacentPair(const float *a, const float *b, float *c, int n) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
    c[i] += a[i] + b[i];
  if (i + 1 < n)
    c[i + 1] += a[i + 1] + b[i + 1];
}

__global__ void addBlockApart(const float *a, const float *b, float *c, int n) {
  int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] += a[i] + b[i];
  i += blockDim.x;
  if (i < n)
    c[i] += a[i] + b[i];
}

__global__ void addGridStride(const float *a, const float *b, float *c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] += a[i] + b[i];
}

__global__ void addVector4(const float4 *a, const float4 *b, float4 *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float4 x = a[i], y = b[i];
    c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
  }
}

int main() {
  const int n = 100004; // a multiple of four, not of any block size
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = 0.25f * i;
    b[i] = 7.0f - i;
  }
  DeviceBuffer<float> deviceA(a), deviceB(b);
  DeviceBuffer<float> results[] = {DeviceBuffer<float>(n), DeviceBuffer<float>(n),
                                   DeviceBuffer<float>(n), DeviceBuffer<float>(n)};
  addAdjacentPair<<<(n / 2 + 127) / 128, 128>>>(deviceA, deviceB, results[0], n);
  addBlockApart<<<(n + 255) / 256, 128>>>(deviceA, deviceB, results[1], n);
  addGridStride<<<7, 96>>>(deviceA, deviceB, results[2], n);
  addVector4<<<(n / 4 + 127) / 128, 128>>>(reinterpret_cast<float4 *>(deviceA.data()),
                                           reinterpret_cast<float4 *>(deviceB.data()),
                                           reinterpret_cast<float4 *>(results[3].data()), n / 4);
  for (const DeviceBuffer<float> &result : results) {
    const std::vector<float> c = result.download();
    int wrong = 0;
    for (int i = 0; i < n; ++i)
      wrong += c[i] != a[i] + b[i];
    CHECK_EQ(wrong, 0);
  }
  RETURN_RESULT();
}
