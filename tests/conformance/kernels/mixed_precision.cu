// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// half2 fused multiply-add against single precision, and __dp4a on char4 against the host: dot
// products as inference kernels do them.
#include "check.h"
#include <cuda_fp16.h>

__global__ void dotHalf(const half2 *a, const half2 *b, float *out, int n) {
  half2 sum = __float2half2_rn(0.0f);
  for (int i = threadIdx.x; i < n; i += 32)
    sum = __hfma2(a[i], b[i], sum);
  float total = __low2float(sum) + __high2float(sum);
  for (int offset = 16; offset > 0; offset /= 2)
    total += __shfl_down_sync(0xffffffff, total, offset);
  if (threadIdx.x == 0)
    *out = total;
}

__global__ void toHalf(const float2 *in, half2 *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = __float22half2_rn(in[i]);
}

__global__ void dotBytes(const char4 *a, const char4 *b, int *out, int n) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += 32)
    sum = __dp4a(a[i], b[i], sum);
  atomicAdd(out, sum);
}

int main() {
  const int n = 320;
  std::vector<float2> a(n), b(n);
  std::vector<char4> c(n), d(n);
  double expected = 0;
  int expectedBytes = 0;
  for (int i = 0; i < n; ++i) {
    a[i] = make_float2(i % 5 - 2.0f, i % 7 * 0.5f);
    b[i] = make_float2(i % 3 * 0.25f, 1.0f);
    expected += double(a[i].x) * b[i].x + double(a[i].y) * b[i].y;
    c[i] = make_char4(-128, i % 100, -i % 50, 127);
    d[i] = make_char4(127, -3, i % 60, -128);
    expectedBytes += c[i].x * d[i].x + c[i].y * d[i].y + c[i].z * d[i].z + c[i].w * d[i].w;
  }
  DeviceBuffer<float2> floatA(a), floatB(b);
  DeviceBuffer<half2> halfA(n), halfB(n);
  DeviceBuffer<char4> bytesA(c), bytesB(d);
  DeviceBuffer<float> sum(1);
  DeviceBuffer<int> byteSum(1);
  toHalf<<<1, 64>>>(floatA, halfA, n);
  toHalf<<<1, 64>>>(floatB, halfB, n);
  dotHalf<<<1, 32>>>(halfA, halfB, sum, n);
  dotBytes<<<1, 32>>>(bytesA, bytesB, byteSum, n);
  CHECK_NEAR(sum.download()[0], expected, 1e-6); // exact in half: small multiples of 1/8
  CHECK_EQ(byteSum.download()[0], expectedBytes);
  RETURN_RESULT();
}
