// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that return structures, arrays in structures and vector types by value, through
// calls that are not inlined.
#include "check.h"

struct Matrix {
  float values[3][3];
};
struct Small {
  char a;
  short b;
};

__noinline__ __device__ Matrix rotate(const Matrix &m) {
  Matrix result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      result.values[j][2 - i] = m.values[i][j];
  return result;
}
__noinline__ __device__ float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
__noinline__ __device__ Small small(int value) { return {char(value), short(value * 100)}; }
__noinline__ __device__ int2 divide(int a, int b) { return make_int2(a / b, a % b); }

__global__ void evaluate(float *out) {
  Matrix m;
  for (int i = 0; i < 9; ++i)
    m.values[i / 3][i % 3] = i + threadIdx.x;
  m = rotate(rotate(rotate(m)));
  const float3 c = cross(make_float3(1, 2, 3), make_float3(4, 5, 6));
  const Small s = small(int(threadIdx.x) + 5);
  const int2 d = divide(47 + threadIdx.x, 5);
  float *own = out + 12 * threadIdx.x;
  for (int i = 0; i < 9; ++i)
    own[i] = m.values[i / 3][i % 3];
  own[9] = c.x + 10 * c.y + 100 * c.z;
  own[10] = s.a + s.b;
  own[11] = d.x * 10 + d.y;
}

int main() {
  DeviceBuffer<float> out(24);
  evaluate<<<1, 2>>>(out);
  const std::vector<float> result = out.download();
  const int rotated[9] = {2, 5, 8, 1, 4, 7, 0, 3, 6};
  for (int t = 0; t < 2; ++t) {
    for (int i = 0; i < 9; ++i)
      CHECK_EQ(result[12 * t + i], rotated[i] + t);
    CHECK_EQ(result[12 * t + 9], -3 + 60 - 300);
    CHECK_EQ(result[12 * t + 10], (5 + t) * 101);
    CHECK_EQ(result[12 * t + 11], t == 0 ? 92 : 93);
  }
  RETURN_RESULT();
}
