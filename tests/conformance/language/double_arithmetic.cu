// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Double arithmetic is IEEE: sums, products, quotients, comparisons, subnormals and infinities
// bit for bit as on the host.
// flags: -fmad=false
#include "check.h"

template <class T> __host__ __device__ void compute(T a, T b, T *out) {
  out[0] = a + b;
  out[1] = a - b;
  out[2] = a * b;
  out[3] = a / b;
  out[4] = a * b + a;
  out[5] = -a;
  out[6] = (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * (a > b) + 32 * (a >= b);
  T sum = 0;
  for (int i = 1; i <= 10; ++i)
    sum += a / T(i) - b * T(i);
  out[7] = sum;
}

template <class T> __global__ void onDevice(const T *values, T *out, int n) {
  const int i = blockIdx.x, j = threadIdx.x;
  compute(values[i], values[j], out + 8 * (i * n + j));
}

template <class T> static void checkType(const std::vector<T> &values) {
  const int n = int(values.size());
  DeviceBuffer<T> in(values), out(8 * n * n);
  onDevice<<<n, n>>>(in.data(), out.data(), n);
  const std::vector<T> result = out.download();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      T expected[8];
      compute(values[i], values[j], expected);
      for (int k = 0; k < 8; ++k) {
        const T value = result[8 * (i * n + j) + k];
        CHECK((std::isnan(value) && std::isnan(expected[k])) ||
              memcmp(&value, &expected[k], sizeof(T)) == 0);
      }
    }
}

int main() {
  checkType<double>({0.0, -0.0, 1.0, -1.0 / 3, 1e300, -1e-300, 5e-324, 2.2250738585072014e-308,
                     INFINITY, -INFINITY, NAN, 3.5, 1e16});
  checkType<float>({0.0f, -0.0f, 1.0f, -1.0f / 3, 1e38f, -1e-38f, 1e-45f, 1.17549435e-38f, INFINITY,
                    -INFINITY, NAN, 3.5f, 16777216.0f});
  RETURN_RESULT();
}
