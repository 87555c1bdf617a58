// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __ldg on scalars and vectors, const __restrict__ pointers, volatile, and loads and stores with
// cache hints (__ldcg, __ldcs, __stcg, __stwt).
#include "check.h"

__global__ void copy(const float4 *__restrict__ vectors, const int *__restrict__ ints,
                     const unsigned char *bytes, const double2 *doubles, double *out) {
  const int t = threadIdx.x;
  const float4 v = __ldg(&vectors[t]);
  const double2 d = __ldg(&doubles[t]);
  volatile const int *watched = ints;
  double sum = v.x + 2 * v.y + 3 * v.z + 4 * v.w + __ldg(ints + t) + __ldg(bytes + t) + d.x - d.y;
  sum += __ldcg(ints + t) + __ldcs(ints + t) + watched[t];
  __stcg(out + t, sum);
  __stwt(out + 32 + t, -sum);
}

int main() {
  std::vector<float4> vectors(32);
  std::vector<int> ints(32);
  std::vector<unsigned char> bytes(32);
  std::vector<double2> doubles(32);
  for (int i = 0; i < 32; ++i) {
    vectors[i] = make_float4(i, i + 1, i + 2, i + 3);
    ints[i] = -i;
    bytes[i] = 200 + i;
    doubles[i] = make_double2(0.5 * i, 1);
  }
  DeviceBuffer<float4> a(vectors);
  DeviceBuffer<int> b(ints);
  DeviceBuffer<unsigned char> c(bytes);
  DeviceBuffer<double2> d(doubles);
  DeviceBuffer<double> out(64);
  copy<<<1, 32>>>(a, b, c, d, out);
  const std::vector<double> result = out.download();
  for (int i = 0; i < 32; ++i) {
    const double expected = 10 * i + 20 - 4 * i + 200 + i + 0.5 * i - 1;
    CHECK_EQ(result[i], expected);
    CHECK_EQ(result[32 + i], -expected);
  }
  RETURN_RESULT();
}
