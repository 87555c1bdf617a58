// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Overloaded operators in device code: arithmetic on float3, a complex type, indexing,
// comparison, conversion and increment.
#include "check.h"

__host__ __device__ inline float3 operator+(float3 a, float3 b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__host__ __device__ inline float3 operator*(float factor, float3 a) {
  return make_float3(factor * a.x, factor * a.y, factor * a.z);
}
__host__ __device__ inline float3 &operator+=(float3 &a, float3 b) { return a = a + b; }

struct Complex {
  double re, im;
  __device__ Complex operator*(const Complex &o) const {
    return {re * o.re - im * o.im, re * o.im + im * o.re};
  }
  __device__ bool operator==(const Complex &o) const { return re == o.re && im == o.im; }
  __device__ explicit operator bool() const { return re != 0 || im != 0; }
  __device__ Complex &operator++() {
    ++re;
    return *this;
  }
};

struct Row {
  int values[4];
  __device__ int &operator[](int i) { return values[i]; }
  __device__ int operator()(int i, int j) const { return values[i] * 10 + values[j]; }
};

__global__ void useOperators(double *out) {
  float3 v = make_float3(1, 2, 3);
  v += 2.0f * v + make_float3(0.5f, 0, 0);
  out[0] = v.x + 100 * v.y + 10000 * v.z;
  Complex a{1, 2};
  const Complex b = ++a * Complex{0, 1};
  out[1] = b.re * 10 + b.im;
  out[2] = (b == Complex{-2, 2}) + 2 * (b == a) + (a ? 4 : 0) + (Complex{0, 0} ? 8 : 0);
  Row row{{1, 2, 3, 4}};
  row[2] = 9;
  out[3] = row(2, 3);
}

int main() {
  DeviceBuffer<double> out(4);
  useOperators<<<1, 1>>>(out);
  const double expected[4] = {3.5 + 600 + 90000, -18, 5, 94};
  const std::vector<double> result = out.download();
  for (int i = 0; i < 4; ++i)
    CHECK_EQ(result[i], expected[i]);
  RETURN_RESULT();
}
