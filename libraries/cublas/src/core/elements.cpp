// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "elements.h"

#include <cmath>
#include <cuda_fp8.h>
#include <limits>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace heddle::cublas {
namespace {

// A complex number of two narrow elements.
template <typename E> struct Pair {
  E x, y;
};

#define TYPES(X)                                                                                   \
  X(CUDA_R_32F, float)                                                                             \
  X(CUDA_R_64F, double)                                                                            \
  X(CUDA_R_16F, __half)                                                                            \
  X(CUDA_R_16BF, __nv_bfloat16)                                                                    \
  X(CUDA_R_8F_E4M3, __nv_fp8_e4m3)                                                                 \
  X(CUDA_R_8F_E5M2, __nv_fp8_e5m2)                                                                 \
  X(CUDA_R_8I, int8_t)                                                                             \
  X(CUDA_R_8U, uint8_t)                                                                            \
  X(CUDA_R_32I, int32_t)                                                                           \
  X(CUDA_C_32F, Pair<float>)                                                                       \
  X(CUDA_C_64F, Pair<double>)                                                                      \
  X(CUDA_C_16F, Pair<__half>)                                                                      \
  X(CUDA_C_16BF, Pair<__nv_bfloat16>)                                                              \
  X(CUDA_C_8I, Pair<int8_t>)

template <typename R, typename E> R widen(E value) {
  if constexpr (std::is_arithmetic_v<E>)
    return R(value);
  else
    return R(float(value));
}

// Integers are rounded to the nearest and kept in their range.
template <typename E, typename R> E narrow(R value) {
  if constexpr (std::is_floating_point_v<E>)
    return E(value);
  else if constexpr (std::is_integral_v<E>)
    return E(
        std::fmin(std::fmax(std::nearbyint(double(value)), double(std::numeric_limits<E>::min())),
                  double(std::numeric_limits<E>::max())));
  else
    return E(float(value));
}

template <typename Acc, typename E> Acc toAcc(E value) {
  if constexpr (std::is_floating_point_v<Acc>)
    return widen<Acc>(value);
  else
    return {widen<typename Blas<Acc>::Real>(value), 0};
}
template <typename Acc, typename E> Acc toAcc(Pair<E> value) {
  if constexpr (std::is_floating_point_v<Acc>)
    return widen<Acc>(value.x);
  else
    return {widen<typename Blas<Acc>::Real>(value.x), widen<typename Blas<Acc>::Real>(value.y)};
}

template <typename T> struct FromAcc {
  template <typename Acc> static T get(Acc value) { return narrow<T>(std::real(number(value))); }
};
template <typename E> struct FromAcc<Pair<E>> {
  template <typename Acc> static Pair<E> get(Acc value) {
    return {narrow<E>(std::real(number(value))), narrow<E>(std::imag(number(value)))};
  }
};

#if defined(__x86_64__)
// Half precision eight at a time, where the CPU can; returns how many are done.
__attribute__((target("avx,f16c"))) int64_t loadHalves(const void *from, float *to, int64_t n) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(
                                 static_cast<const __half *>(from) + i))));
  return i;
}
__attribute__((target("avx,f16c"))) int64_t storeHalves(const float *from, void *to, int64_t n) {
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i *>(static_cast<__half *>(to) + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
  return i;
}
bool fastHalves() {
  static const bool there = __builtin_cpu_supports("avx") && __builtin_cpu_supports("f16c");
  return there;
}
#else
int64_t loadHalves(const void *, float *, int64_t) { return 0; }
int64_t storeHalves(const float *, void *, int64_t) { return 0; }
bool fastHalves() { return false; }
#endif

} // namespace

size_t elementSize(cudaDataType type) {
  switch (type) {
#define X(name, T)                                                                                 \
  case name:                                                                                       \
    return sizeof(T);
    TYPES(X)
#undef X
  default:
    return 0;
  }
}

bool isComplex(cudaDataType type) {
  return type == CUDA_C_32F || type == CUDA_C_64F || type == CUDA_C_16F || type == CUDA_C_16BF ||
         type == CUDA_C_8I;
}

template <typename Acc>
void load(cudaDataType type, const void *from, int64_t stride, Acc *to, int64_t n) {
  int64_t first = 0;
  if constexpr (std::is_same_v<Acc, float>)
    if (type == CUDA_R_16F && stride == 1 && fastHalves())
      first = loadHalves(from, to, n);
  switch (type) {
#define X(name, T)                                                                                 \
  case name:                                                                                       \
    for (int64_t i = first; i < n; ++i)                                                            \
      to[i] = toAcc<Acc>(static_cast<const T *>(from)[i * stride]);                                \
    return;
    TYPES(X)
#undef X
  default:
    return;
  }
}

template <typename Acc>
void store(cudaDataType type, const Acc *from, void *to, int64_t stride, int64_t n) {
  int64_t first = 0;
  if constexpr (std::is_same_v<Acc, float>)
    if (type == CUDA_R_16F && stride == 1 && fastHalves())
      first = storeHalves(from, to, n);
  switch (type) {
#define X(name, T)                                                                                 \
  case name:                                                                                       \
    for (int64_t i = first; i < n; ++i)                                                            \
      static_cast<T *>(to)[i * stride] = FromAcc<T>::get(from[i]);                                 \
    return;
    TYPES(X)
#undef X
  default:
    return;
  }
}

#define INSTANTIATE(Acc)                                                                           \
  template void load<Acc>(cudaDataType, const void *, int64_t, Acc *, int64_t);                    \
  template void store<Acc>(cudaDataType, const Acc *, void *, int64_t, int64_t);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(cuComplex)
INSTANTIATE(cuDoubleComplex)

} // namespace heddle::cublas
