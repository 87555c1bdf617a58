// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares mathematical functions on the device with the host's libm, for the math programs.
//
//   MATH1(float, sinf, sinl(x))          declares the device function and its reference
//   check1<sinf_of>("sinf", -100, 100, 2)   arguments in a range, allowed difference in ulp
//
// The reference is computed in long double and rounded once. The allowed differences are those of
// the CUDA C++ Programming Guide, "Mathematical Functions": the distance between the result and the
// correctly rounded value.
#pragma once

#include "check.h"
#include <limits>

/// The place of a value in the order of all values of its type; neighbours differ by 1.
inline long long ordinal(float value) {
  int bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits < 0 ? -(long long)(bits & 0x7fffffff) : bits;
}
inline long long ordinal(double value) {
  long long bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits < 0 ? -(bits & 0x7fffffffffffffffLL) : bits;
}

/// Representable values between two results; NaN is at distance 0 from NaN only.
template <class T> double ulpsBetween(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b) ? 0 : 1e30;
  return double(fabsl((long double)ordinal(a) - (long double)ordinal(b)));
}

#define MATH1(type, name, reference)                                                               \
  struct name##_of {                                                                               \
    typedef type T;                                                                                \
    __device__ T operator()(T x, T) const { return name(x); }                                      \
    static long double expected(long double x, long double) { return reference; }                  \
  };
#define MATH2(type, name, reference)                                                               \
  struct name##_of {                                                                               \
    typedef type T;                                                                                \
    __device__ T operator()(T x, T y) const { return name(x, y); }                                 \
    static long double expected(long double x, long double y) { return reference; }                \
  };

template <class F>
__global__ void evaluateMath(const typename F::T *x, const typename F::T *y, typename F::T *out,
                             int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = F()(x[i], y[i]);
}

/// Compares F at all pairs (x[i], y[i]); reports the worst.
template <class F>
void compareMath(const char *name, const std::vector<typename F::T> &x,
                 const std::vector<typename F::T> &y, double allowed) {
  typedef typename F::T T;
  const int n = int(x.size());
  DeviceBuffer<T> deviceX(x), deviceY(y), out(n);
  evaluateMath<F><<<(n + 127) / 128, 128>>>(deviceX, deviceY, out, n);
  const std::vector<T> results = out.download();
  double worst = -1;
  int at = 0;
  for (int i = 0; i < n; ++i) {
    const double distance = ulpsBetween(results[i], T(F::expected(x[i], y[i])));
    if (distance > worst) {
      worst = distance;
      at = i;
    }
  }
  CHECK(worst <= allowed);
  if (worst > allowed)
    std::fprintf(stderr, "  %s(%.17g, %.17g) is %.17g, expected %.17g: %g ulp, allowed %g\n", name,
                 double(x[at]), double(y[at]), double(results[at]),
                 double(T(F::expected(x[at], y[at]))), worst, allowed);
}

/// Arguments in [low, high]: evenly spread, with random digits, and spread over the magnitudes.
template <class T> std::vector<T> argumentsBetween(double low, double high, int count) {
  std::vector<T> values;
  unsigned long long state = 88172645463325252ull;
  auto random = [&state] { // in [0, 1)
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return double(state >> 11) * 0x1p-53;
  };
  for (int i = 0; i < count; ++i)
    values.push_back(T(low + (high - low) * (i + random()) / count));
  const double largest = std::fmax(std::fabs(low), std::fabs(high));
  for (int i = 0; i < count; ++i) {
    const double magnitude = std::ldexp(largest * (0.5 + 0.5 * random()), -(i % 60));
    const double value = i % 2 ? magnitude : -magnitude;
    if (value >= low && value <= high)
      values.push_back(T(value));
  }
  values.push_back(T(low));
  values.push_back(T(high));
  return values;
}

template <class F> void check1(const char *name, double low, double high, double allowed) {
  typedef typename F::T T;
  const std::vector<T> x = argumentsBetween<T>(low, high, 4000);
  compareMath<F>(name, x, x, allowed);
}

/// Special values: zeros, infinities, NaN, ones; results must be exact or the same kind.
template <class F> void checkSpecial1(const char *name, double allowed) {
  typedef typename F::T T;
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const std::vector<T> x = {T(0), T(-0.0), infinity, -infinity, nan, T(1), T(-1)};
  compareMath<F>(name, x, x, allowed);
}

template <class F>
void check2(const char *name, double lowX, double highX, double lowY, double highY,
            double allowed) {
  typedef typename F::T T;
  std::vector<T> x = argumentsBetween<T>(lowX, highX, 4000);
  std::vector<T> y = argumentsBetween<T>(lowY, highY, 4000);
  const size_t n = std::min(x.size(), y.size());
  x.resize(n);
  y.resize(n);
  for (size_t i = 0; i < n; ++i) // pair them in another order
    std::swap(y[i], y[i * 7919 % n]);
  compareMath<F>(name, x, y, allowed);
}

template <class F> void checkSpecial2(const char *name, double allowed) {
  typedef typename F::T T;
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const T values[] = {T(0), T(-0.0), infinity, -infinity, nan, T(1), T(-1), T(2), T(-2.5)};
  std::vector<T> x, y;
  for (T a : values)
    for (T b : values) {
      x.push_back(a);
      y.push_back(b);
    }
  compareMath<F>(name, x, y, allowed);
}
