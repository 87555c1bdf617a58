// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A digest of each function's results on the same inputs, computed on a GPU with NVIDIA's headers
// (small_float_gpu.cu prints small_float_expected.h) and on the host with Heddle's.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define HD __device__
#else
#define HD
#endif

namespace digests {

HD inline __half make(__half, unsigned bits) { return __ushort_as_half((unsigned short)bits); }
HD inline __nv_bfloat16 make(__nv_bfloat16, unsigned bits) {
  return __ushort_as_bfloat16((unsigned short)bits);
}
HD inline uint64_t bits(__half h) { return __half_as_ushort(h); }
HD inline uint64_t bits(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }
HD inline uint64_t bits(bool b) { return b; }
HD inline uint64_t bits(int i) { return (uint64_t)i; }
HD inline uint64_t bits(unsigned i) { return i; }
HD inline uint64_t bits(short i) { return (uint64_t)i; }
HD inline uint64_t bits(unsigned short i) { return i; }
HD inline uint64_t bits(long long i) { return (uint64_t)i; }
HD inline uint64_t bits(unsigned long long i) { return i; }

HD inline uint64_t random(uint64_t n) { // SplitMix64
  n = (n + 1) * 0x9e3779b97f4a7c15ull;
  n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9ull;
  n = (n ^ n >> 27) * 0x94d049bb133111ebull;
  return n ^ n >> 31;
}

template <typename T> struct Inputs {
  T a, b, c;
  float f;
  double d;
  long long n;
};

/// Values of all kinds: any bits, and operands of like size, whose sums round and cancel.
template <typename T> HD inline Inputs<T> inputs(unsigned i) {
  const uint64_t r = random(i), s = random(i + 0x100000000ull);
  unsigned x[3] = {i & 0xffff, unsigned(r) & 0xffff, unsigned(r >> 16) & 0xffff};
  if (i & 0x10000)
    for (unsigned &v : x)
      v = (v & 0x87ff) + 0x3800;
  Inputs<T> in;
  in.a = make(T(), x[0]);
  in.b = make(T(), x[1]);
  in.c = make(T(), x[2]);
  unsigned f = unsigned(s);
  if (i & 1) // near the range of half
    f = (f & 0x87ffffff) + 0x34000000;
  memcpy(&in.f, &f, sizeof f);
  uint64_t d = r ^ s << 32;
  if (i & 2)
    d = (d & 0x81ffffffffffffffull) + 0x3e00000000000000ull;
  memcpy(&in.d, &d, sizeof d);
  in.n = (long long)(s >> (i % 64));
  if (i & 4)
    in.n = -in.n;
  return in;
}

constexpr unsigned input_count = 1u << 18;

template <typename T, typename Function> HD uint64_t digest(Function function) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < input_count; ++i)
    sum = (sum ^ bits(function(inputs<T>(i)))) * 0x100000001b3ull;
  return sum;
}

// X(name, expression of in) for functions whose names are the same for both types.
#define SHARED_FUNCTIONS(X)                                                                        \
  X(hadd, __hadd(in.a, in.b))                                                                      \
  X(hsub, __hsub(in.a, in.b))                                                                      \
  X(hmul, __hmul(in.a, in.b))                                                                      \
  X(hadd_sat, __hadd_sat(in.a, in.b))                                                              \
  X(hsub_sat, __hsub_sat(in.a, in.b))                                                              \
  X(hmul_sat, __hmul_sat(in.a, in.b))                                                              \
  X(hfma, __hfma(in.a, in.b, in.c))                                                                \
  X(hfma_sat, __hfma_sat(in.a, in.b, in.c))                                                        \
  X(hfma_relu, __hfma_relu(in.a, in.b, in.c))                                                      \
  X(hneg, __hneg(in.a))                                                                            \
  X(habs, __habs(in.a))                                                                            \
  X(hmax, __hmax(in.a, in.b))                                                                      \
  X(hmin, __hmin(in.a, in.b))                                                                      \
  X(hmax_nan, __hmax_nan(in.a, in.b))                                                              \
  X(hmin_nan, __hmin_nan(in.a, in.b))                                                              \
  X(heq, __heq(in.a, in.b))                                                                        \
  X(hne, __hne(in.a, in.b))                                                                        \
  X(hlt, __hlt(in.a, in.b))                                                                        \
  X(hltu, __hltu(in.a, in.b))                                                                      \
  X(hneu, __hneu(in.a, in.b))                                                                      \
  X(hequ, __hequ(in.a, in.b))                                                                      \
  X(hgeu, __hgeu(in.a, in.b))                                                                      \
  X(hisnan, __hisnan(in.a))                                                                        \
  X(hisinf, __hisinf(in.a))                                                                        \
  X(hrint_, ::hrint(in.a))                                                                         \
  X(hfloor_, ::hfloor(in.a))                                                                       \
  X(hceil_, ::hceil(in.a))                                                                         \
  X(htrunc_, ::htrunc(in.a))

// Y(name, expression of in) for conversions, whose names hold the type's.
#define CONVERSIONS(Y, H)                                                                          \
  Y(float_rn, __float2##H##_rn(in.f))                                                              \
  Y(float_rz, __float2##H##_rz(in.f))                                                              \
  Y(float_rd, __float2##H##_rd(in.f))                                                              \
  Y(float_ru, __float2##H##_ru(in.f))                                                              \
  Y(double, __double2##H(in.d))                                                                    \
  Y(to_int_rn, __##H##2int_rn(in.a))                                                               \
  Y(to_int_rz, __##H##2int_rz(in.a))                                                               \
  Y(to_int_rd, __##H##2int_rd(in.a))                                                               \
  Y(to_int_ru, __##H##2int_ru(in.a))                                                               \
  Y(to_uint_rn, __##H##2uint_rn(in.a))                                                             \
  Y(to_short_rz, __##H##2short_rz(in.a))                                                           \
  Y(to_ushort_ru, __##H##2ushort_ru(in.a))                                                         \
  Y(to_ll_rn, __##H##2ll_rn(in.a))                                                                 \
  Y(to_ull_rd, __##H##2ull_rd(in.a))                                                               \
  Y(ll_rn, __ll2##H##_rn(in.n))                                                                    \
  Y(ll_rz, __ll2##H##_rz(in.n))                                                                    \
  Y(ull_rd, __ull2##H##_rd((unsigned long long)in.n))                                              \
  Y(ull_ru, __ull2##H##_ru((unsigned long long)in.n))                                              \
  Y(int_rn, __int2##H##_rn((int)in.n))                                                             \
  Y(uint_ru, __uint2##H##_ru((unsigned)in.n))                                                      \
  Y(short_rd, __short2##H##_rd((short)in.n))

#define DEFINE(name, expression)                                                                   \
  struct name {                                                                                    \
    template <typename In> HD auto operator()(const In &in) const { return expression; }           \
  };
namespace shared {
SHARED_FUNCTIONS(DEFINE)
}
namespace from_half {
#define CONVERSION(name, expression) DEFINE(half_##name, expression)
CONVERSIONS(CONVERSION, half)
#undef CONVERSION
} // namespace from_half
namespace from_bfloat16 {
#define CONVERSION(name, expression) DEFINE(bfloat16_##name, expression)
CONVERSIONS(CONVERSION, bfloat16)
#undef CONVERSION
} // namespace from_bfloat16
#undef DEFINE

#define LIST_HALF(name, expression) F(#name " half", __half, shared::name)
#define LIST_BFLOAT(name, expression) F(#name " bfloat16", __nv_bfloat16, shared::name)
#define LIST_FROM_HALF(name, expression) F(#name " half", __half, from_half::half_##name)
#define LIST_FROM_BFLOAT(name, expression)                                                         \
  F(#name " bfloat16", __nv_bfloat16, from_bfloat16::bfloat16_##name)
/// F(text, type, functor) for every function: the user of this file defines F.
#define ALL_FUNCTIONS                                                                              \
  SHARED_FUNCTIONS(LIST_HALF)                                                                      \
  SHARED_FUNCTIONS(LIST_BFLOAT)                                                                    \
  CONVERSIONS(LIST_FROM_HALF, half)                                                                \
  CONVERSIONS(LIST_FROM_BFLOAT, bfloat16)

} // namespace digests
