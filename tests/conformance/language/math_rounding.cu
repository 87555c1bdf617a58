// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// floor, ceil, trunc, round, rint, nearbyint, lround, llrint, fmod, remainder, modf, frexp and
// ldexp in float and double are exact, signs of zero included.
#include "check.h"
#include <limits>

template <class T> __host__ __device__ void roundAll(T x, T *out) {
  out[0] = floor(x);
  out[1] = ceil(x);
  out[2] = trunc(x);
  out[3] = round(x);
  out[4] = rint(x);
  out[5] = nearbyint(x);
  out[6] = fmod(x, T(3));
  out[7] = remainder(x, T(3));
  T whole;
  out[8] = modf(x, &whole);
  out[9] = whole;
  int exponent = 0;
  out[10] = frexp(x, &exponent);
  out[11] = x == 0 || isinf(x) || isnan(x) ? 0 : exponent;
  out[12] = ldexp(x, 3);
  out[13] = ldexp(x, -20);
  out[14] = fabs(x);
  out[15] = copysign(T(2), x);
  out[16] = nextafter(x, T(100));
  out[17] = isinf(x) || isnan(x) ? 0 : logb(x);
  out[18] = fdim(x, T(1));
  out[19] = fmod(x, T(0.1));
  out[20] = scalbn(x, 5);
}

// Only where long can hold the value.
template <class T> __host__ __device__ void roundToIntegers(T x, long long *out) {
  out[0] = lround(x);
  out[1] = llround(x);
  out[2] = lrint(x);
  out[3] = llrint(x);
  out[4] = signbit(x) ? 1 : 0;
}

template <class T> __global__ void onDevice(const T *x, T *out, long long *integers, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  roundAll(x[i], out + 21 * i);
  if (fabs(x[i]) < 1e15)
    roundToIntegers(x[i], integers + 5 * i);
}

template <class T> static bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class T> static void checkType() {
  const T infinity = std::numeric_limits<T>::infinity();
  const std::vector<T> x = {T(0),         T(-0.0),      T(0.5),        T(-0.5),  T(1.5),
                            T(2.5),       T(-2.5),      T(0.3),        T(-1.7),  T(7),
                            T(123456.7),  T(8388608.5), T(0.49999997), T(1e10),  T(-1e30),
                            infinity,     -infinity,    T(3.14159),    T(1e-30), T(-4.5),
                            T(1.0000001), T(99.999),    T(-1e-3)};
  const int n = int(x.size());
  DeviceBuffer<T> in(x), out(21 * n);
  DeviceBuffer<long long> integers(5 * n);
  onDevice<<<1, 32>>>(in.data(), out.data(), integers.data(), n);
  const std::vector<T> result = out.download();
  const std::vector<long long> whole = integers.download();
  for (int i = 0; i < n; ++i) {
    T expected[21];
    long long expectedIntegers[5] = {};
    roundAll(x[i], expected);
    for (int k = 0; k < 21; ++k) {
      if (!same(result[21 * i + k], expected[k]))
        fprintf(stderr, "argument %g, operation %d\n", double(x[i]), k);
      CHECK(same(result[21 * i + k], expected[k]));
    }
    if (std::fabs(x[i]) < 1e15)
      roundToIntegers(x[i], expectedIntegers);
    for (int k = 0; k < 5; ++k)
      CHECK_EQ(whole[5 * i + k], expectedIntegers[k]);
  }
}

int main() {
  checkType<float>();
  checkType<double>();
  RETURN_RESULT();
}
