// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C++ library beside CUDA: a program that includes much of it, in one file with kernels.
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#if __cplusplus >= 201703L
#include <optional>
#include <string_view>
#endif
#if __cplusplus >= 202002L
#include <concepts>
#include <span>
#endif

using namespace std;

#if !defined(__CUDACC__) || !defined(__NVCC__) || __CUDACC_VER_MAJOR__ != 12 ||                    \
    __CUDACC_VER_MINOR__ != 9 || !defined(__CUDACC_RELAXED_CONSTEXPR__) ||                         \
    !defined(__CUDACC_EXTENDED_LAMBDA__)
#error "the macros of a CUDA 12.9 compiler are missing"
#endif
#ifdef CUDA_VERSION
#error "CUDA_VERSION is for cuda.h to define"
#endif
#ifdef __CUDA_ARCH__
static_assert(__CUDA_ARCH__ >= 750, "");
#endif

template <typename T> struct Clamp {
  T low, high;
  __host__ __device__ T operator()(T x) const { return min(max(x, low), high); }
};

template <typename F> __global__ void apply(F f, float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = f(data[i]);
}

constexpr int twice(int x) { return 2 * x; }

__global__ void usesStd(float *f, double *d, int *n, complex<float> *c) {
  assert(n != nullptr && "needs a result");
  f[0] = sin(f[1]) + std::sin(f[2]) + cos(1) + pow(f[3], 2) + std::pow(2.0f, f[4]) + abs(f[5]);
  d[0] = sqrt(d[1]) + std::sqrt(d[2]) + exp(d[3]) + pow(d[4], 2.5) + fabs(d[5]) + floor(d[6]);
  f[1] = std::max(f[1], f[2]) + std::min(1.0f, f[0]) + max(f[0], 0.5f) + round(f[3]) +
         hypot(f[0], f[1]);
  n[0] = std::max(n[1], 3) + min(n[2], twice(n[3])) + max(threadIdx.x, blockDim.x) +
         numeric_limits<int>::max() + INT_MAX + (int)numeric_limits<float>::infinity();
#if __cplusplus >= 202002L
  swap(n[4], n[5]);
#endif
  n[6] = isnan(f[0]) + std::isnan(d[0]) + isinf(f[0]) + std::isfinite(d[0]) + signbit(f[0]);
  c[0] = c[1] * c[2] + c[3] / complex<float>(0.f, 1.f) + conj(c[0]) + exp(c[4]);
  f[2] = norm(c[0]) + std::abs(c[1]) + c[2].real();
  static_assert(is_same<decltype(sin(1.0f)), float>::value, "float overload");
  static_assert(is_same<decltype(std::fma(1.0f, 1.0f, 1.0f)), float>::value, "float overload");
  static_assert(is_same<decltype(sin(1)), double>::value, "integer overload");
  std::memcpy(f + 8, f, 16);
  std::memset(f + 12, 0, 8);
  std::printf("%d %f %s\n", n[0], f[0], "text");
#if __cplusplus >= 201703L
  if constexpr (sizeof(float) == 4)
    n[7] = 1;
  array<int, 3> a{1, 2, 3};
  n[8] = a[n[7]];
#endif
}

int main() {
  vector<float> v(16, 1.5f);
  mt19937 generator(2019);
  normal_distribution<float> normal;
  uniform_int_distribution<int> dice(1, 6);
  for (auto &x : v)
    x = normal(generator) + dice(generator);
  sort(v.begin(), v.end());
  auto start = chrono::steady_clock::now();
  thread worker([&] { v[0] = accumulate(v.begin(), v.end(), 0.0f); });
  worker.join();
  float factor = 2.0f;
  apply<<<1, 16>>>([=] __device__(float x) { return factor * x + sinf(x); }, v.data(), 16);
  apply<<<1, 16>>>(Clamp<float>{0.0f, 1.0f}, v.data(), 16);
  cout << setprecision(3) << chrono::duration<double>(chrono::steady_clock::now() - start).count()
       << complex<double>(1, 2) << string("text") << max(1, 2) << min(1.0f, 2.0) << max(1u, 2)
       << std::max(v[0], v[1]) << rsqrtf(4.0f) << rsqrt(4.0) << sinpi(0.5) << fabs(v[0]) << endl;
  assert(twice(2) == 4);
  timeval now;
  gettimeofday(&now, nullptr);
  return (int)clock() ? 0 : 1;
}
