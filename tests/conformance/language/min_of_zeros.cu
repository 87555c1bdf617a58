// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lesser of 0 and -0 is -0, whichever comes first, wherever the compiler knows one of them or
// not; and a NaN is no number.
#include "minima.h"

__device__ __noinline__ float lesser(float a, float b) { return fminf(a, b); }

template <class T> __global__ void both(T *least, T *greatest, const T *a, const T *b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  least[i] = fmin(a[i], b[i]);
  greatest[i] = fmax(a[i], b[i]);
}

__global__ void known(float *out, const float *a) {
  const int i = threadIdx.x;
  out[4 * i] = fminf(a[i], 0.0f);
  out[4 * i + 1] = fmaxf(-0.0f, a[i]);
  out[4 * i + 2] = fminf(fmaxf(a[i], 0.0f), 1.0f);
  out[4 * i + 3] = lesser(float(i - i), a[i]);
}

template <class T> static void checkType() {
  const T values[] = {T(0), T(-0.0), T(1), T(-1), T(NAN), T(INFINITY), T(-INFINITY), T(1e-40)};
  std::vector<T> a, b;
  for (const T left : values)
    for (const T right : values) {
      a.push_back(left);
      b.push_back(right);
    }
  DeviceBuffer<T> least(64), greatest(64), in_a(a), in_b(b);
  both<T><<<2, 32>>>(least, greatest, in_a, in_b);
  const auto low = least.download(), high = greatest.download();
  for (int i = 0; i < 64; ++i)
    for (const bool is_least : {true, false}) {
      const T is = is_least ? low[i] : high[i], should = expectedMinimum(a[i], b[i], is_least);
      checkSame(is, should);
    }
}

int main() {
  checkType<float>();
  checkType<double>();
  const std::vector<float> values = {0.0f, -0.0f, 2.0f, -2.0f};
  const DeviceBuffer<float> in(values);
  DeviceBuffer<float> out(16);
  known<<<1, 4>>>(out, in);
  const auto result = out.download();
  for (int i = 0; i < 4; ++i) {
    const float a = values[i];
    const float should[] = {expectedMinimum(a, 0.0f, true), expectedMinimum(-0.0f, a, false),
                            expectedMinimum(expectedMinimum(a, 0.0f, false), 1.0f, true),
                            expectedMinimum(0.0f, a, true)};
    for (int k = 0; k < 4; ++k) {
      CHECK_EQ(result[4 * i + k], should[k]);
      CHECK_EQ(std::signbit(result[4 * i + k]), std::signbit(should[k]));
    }
  }
  RETURN_RESULT();
}
