// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jacobi iteration for Laplace's equation, 128x128, 500 iterations, with a maximum-difference
// check every 50: same field and same differences as on the host.
#include "check.h"

const int size = 128, iterations = 500, interval = 50;

__global__ void iterate(const float *in, float *out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= size - 1 || y >= size - 1)
    return;
  const int i = y * size + x;
  out[i] = 0.25f * ((in[i - 1] + in[i + 1]) + (in[i - size] + in[i + size]));
}

// Non-negative floats order as their bits do, so atomicMax on the bits finds the largest.
__global__ void largestDifference(const float *a, const float *b, int *bits) {
  __shared__ float shared[256];
  const int t = threadIdx.x;
  float largest = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < size * size; i += gridDim.x * blockDim.x)
    largest = fmaxf(largest, fabsf(a[i] - b[i]));
  shared[t] = largest;
  for (int stride = 128; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride)
      shared[t] = fmaxf(shared[t], shared[t + stride]);
  }
  if (t == 0)
    atomicMax(bits, __float_as_int(shared[0]));
}

int main() {
  std::vector<float> field(size * size), next;
  for (int x = 0; x < size; ++x)
    field[x] = 1; // the hot side
  next = field;
  DeviceBuffer<float> a(field), b(field);
  float *current = a, *other = b;
  float before = 1;
  for (int i = 1; i <= iterations; ++i) {
    iterate<<<dim3(size / 16, size / 16), dim3(16, 16)>>>(current, other);
    std::swap(current, other);
    for (int y = 1; y < size - 1; ++y)
      for (int x = 1; x < size - 1; ++x) {
        const float *at = &field[y * size + x];
        next[y * size + x] = 0.25f * ((at[-1] + at[1]) + (at[-size] + at[size]));
      }
    std::swap(field, next);
    if (i % interval)
      continue;
    DeviceBuffer<int> bits(1);
    largestDifference<<<8, 256>>>(current, other, bits);
    const int found = bits.download()[0];
    float difference, expected = 0;
    memcpy(&difference, &found, sizeof difference);
    for (int j = 0; j < size * size; ++j)
      expected = fmaxf(expected, fabsf(field[j] - next[j]));
    CHECK_NEAR(difference, expected, 1e-6);
    CHECK(difference < before);
    before = difference;
  }
  const std::vector<float> result = (current == a.data() ? a : b).download();
  for (int i = 0; i < size * size; ++i)
    CHECK_NEAR(result[i], field[i], 1e-5);
  RETURN_RESULT();
}
