// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector addition with blocks only, threads only and both, with known sums from srand(2019): a
// wrong global index or a wrong transfer size shows at element 256 or at the ends.
#include "check.h"

__global__ void addBlocks(const float *a, const float *b, float *c, int n) {
  if (blockIdx.x < n)
    c[blockIdx.x] = a[blockIdx.x] + b[blockIdx.x];
}

__global__ void addThreads(const float *a, const float *b, float *c, int n) {
  if (threadIdx.x < n)
    c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

__global__ void addBoth(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

static std::vector<float> randomFloats(size_t n) {
  std::vector<float> values(n);
  for (float &value : values)
    value = rand() / static_cast<float>(RAND_MAX);
  return values;
}

static void checkSum(const DeviceBuffer<float> &c, const std::vector<float> &a,
                     const std::vector<float> &b, size_t used) {
  const std::vector<float> result = c.download();
  long long wrong = 0;
  for (size_t i = 0; i < result.size(); ++i)
    wrong += result[i] != (i < used ? a[i] + b[i] : 0.0f);
  CHECK_EQ(wrong, 0);
}

int main() {
  for (int shift : {24, 23}) {
    const int n = 1 << shift;
    srand(2019);
    const std::vector<float> a = randomFloats(n), b = randomFloats(n);
    DeviceBuffer<float> deviceA(a), deviceB(b), c(n);
    addBoth<<<(n + 255) / 256, 256>>>(deviceA, deviceB, c, n);
    checkSum(c, a, b, n);
    CHECK_NEAR(c.download()[256], shift == 24 ? 1.523750 : 1.306925, 5e-7);
  }
  const int n = 2000;
  const std::vector<float> a = randomFloats(n), b = randomFloats(n);
  DeviceBuffer<float> deviceA(a), deviceB(b), byBlocks(n), byThreads(n), byBoth(n);
  addBlocks<<<n, 1>>>(deviceA, deviceB, byBlocks, n);
  checkSum(byBlocks, a, b, n);
  addThreads<<<1, 1000>>>(deviceA, deviceB, byThreads, n);
  checkSum(byThreads, a, b, 1000);
  addBoth<<<(1000 + 255) / 256, 256>>>(deviceA, deviceB, byBoth, 1000); // 24 threads have no work
  checkSum(byBoth, a, b, 1000);
  RETURN_RESULT();
}
