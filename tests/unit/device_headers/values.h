// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Digests of what the integer intrinsics return, over inputs full of edge cases.
//
// The same list is compiled twice: by nvcc, for a real GPU (values_gpu.cu, whose output is kept in
// values_expected.h), and as plain C++ against include/__heddle (values.cpp). Equal digests mean
// equal results on every input.
#pragma once

#ifdef __CUDACC__
#define VALUES_CODE __device__
#else
#define VALUES_CODE
#endif

namespace values {

typedef unsigned u32;
typedef unsigned long long u64;

/// Pseudo-random words, of which about half are values where an intrinsic could go wrong.
struct Inputs {
  u32 state = 2019;
  VALUES_CODE u32 random() {
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
  }
  VALUES_CODE u32 next() {
    u32 pick = random() % 32, word = random();
    switch (pick) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return 0xffffffffu;
    case 3:
      return 0x80000000u;
    case 4:
      return 0x7fffffffu;
    case 5:
      return 0x80008000u;
    case 6:
      return 0x80808080u;
    case 7:
      return 0x7fff7fffu;
    case 8:
      return 0x7f7f7f7fu;
    case 9:
      return 0xff00ff00u;
    case 10:
    case 11:
    case 12:
      return word % 40; // shift counts and bit positions
    case 13:
    case 14:
      return 0u - word % 40;
    default:
      return word;
    }
  }
};

template <typename F> VALUES_CODE u64 digest(F function) {
  Inputs inputs;
  u64 hash = 14695981039346656037ull; // FNV-1a
  for (int i = 0; i < 5000; ++i) {
    u32 a = inputs.next(), b = inputs.next(), c = inputs.next();
    hash = (hash ^ (u64)function(a, b, c)) * 1099511628211ull;
  }
  return hash;
}

// NAME, then an expression of the words a, b and c.
#define VALUES_BITS(DO)                                                                            \
  DO(popc, __popc(a))                                                                              \
  DO(popcll, __popcll(wide))                                                                       \
  DO(clz, __clz(a))                                                                                \
  DO(clzll, __clzll(wide))                                                                         \
  DO(ffs, __ffs(a))                                                                                \
  DO(ffsll, __ffsll(wide))                                                                         \
  DO(brev, __brev(a))                                                                              \
  DO(brevll, __brevll(wide))                                                                       \
  DO(byte_perm, __byte_perm(a, b, c))                                                              \
  DO(funnelshift_l, __funnelshift_l(a, b, c))                                                      \
  DO(funnelshift_lc, __funnelshift_lc(a, b, c))                                                    \
  DO(funnelshift_r, __funnelshift_r(a, b, c))                                                      \
  DO(funnelshift_rc, __funnelshift_rc(a, b, c))                                                    \
  DO(fns, __fns(a, b % 32, (int)(c % 65) - 32))                                                    \
  DO(mul24, __mul24(a, b))                                                                         \
  DO(umul24, __umul24(a, b))                                                                       \
  DO(mulhi, __mulhi(a, b))                                                                         \
  DO(umulhi, __umulhi(a, b))                                                                       \
  DO(mul64hi, __mul64hi(wide, (u64)c << 32 | a))                                                   \
  DO(umul64hi, __umul64hi(wide, (u64)c << 32 | a))                                                 \
  DO(hadd, __hadd((int)a, (int)b))                                                                 \
  DO(rhadd, __rhadd((int)a, (int)b))                                                               \
  DO(uhadd, __uhadd(a, b))                                                                         \
  DO(urhadd, __urhadd(a, b))                                                                       \
  DO(sad, __sad(a, b, c))                                                                          \
  DO(usad, __usad(a, b, c))                                                                        \
  DO(dp4a_signed, __dp4a((int)a, (int)b, (int)c))                                                  \
  DO(dp4a_unsigned, __dp4a(a, b, c))                                                               \
  DO(dp2a_lo_signed, __dp2a_lo((int)a, (int)b, (int)c))                                            \
  DO(dp2a_lo_unsigned, __dp2a_lo(a, b, c))                                                         \
  DO(dp2a_hi_signed, __dp2a_hi((int)a, (int)b, (int)c))                                            \
  DO(dp2a_hi_unsigned, __dp2a_hi(a, b, c))                                                         \
  DO(hiloint2double, __double_as_longlong(__hiloint2double(a & 0x7fefffff, b)))                    \
  DO(double2hiint, __double2hiint(__longlong_as_double(wide & 0x7fefffffffffffff)))                \
  DO(double2loint, __double2loint(__longlong_as_double(wide & 0x7fefffffffffffff)))                \
  DO(float_as_int, __float_as_int(__int_as_float(a & 0xff7fffff)))

#define VALUES_SIMD_1(DO, NAME)                                                                    \
  DO(v##NAME##2, __v##NAME##2(a))                                                                  \
  DO(v##NAME##4, __v##NAME##4(a))
#define VALUES_SIMD_2(DO, NAME)                                                                    \
  DO(v##NAME##2, __v##NAME##2(a, b))                                                               \
  DO(v##NAME##4, __v##NAME##4(a, b))
#define VALUES_SIMD(DO)                                                                            \
  VALUES_SIMD_1(DO, abs)                                                                           \
  VALUES_SIMD_1(DO, absss)                                                                         \
  VALUES_SIMD_1(DO, neg)                                                                           \
  VALUES_SIMD_1(DO, negss)                                                                         \
  VALUES_SIMD_2(DO, add)                                                                           \
  VALUES_SIMD_2(DO, addss)                                                                         \
  VALUES_SIMD_2(DO, addus)                                                                         \
  VALUES_SIMD_2(DO, sub)                                                                           \
  VALUES_SIMD_2(DO, subss)                                                                         \
  VALUES_SIMD_2(DO, subus)                                                                         \
  VALUES_SIMD_2(DO, absdiffs)                                                                      \
  VALUES_SIMD_2(DO, absdiffu)                                                                      \
  VALUES_SIMD_2(DO, avgs)                                                                          \
  VALUES_SIMD_2(DO, avgu)                                                                          \
  VALUES_SIMD_2(DO, haddu)                                                                         \
  VALUES_SIMD_2(DO, maxs)                                                                          \
  VALUES_SIMD_2(DO, maxu)                                                                          \
  VALUES_SIMD_2(DO, mins)                                                                          \
  VALUES_SIMD_2(DO, minu)                                                                          \
  VALUES_SIMD_2(DO, sads)                                                                          \
  VALUES_SIMD_2(DO, sadu)                                                                          \
  VALUES_SIMD_2(DO, cmpeq)                                                                         \
  VALUES_SIMD_2(DO, cmpne)                                                                         \
  VALUES_SIMD_2(DO, cmpges)                                                                        \
  VALUES_SIMD_2(DO, cmpgeu)                                                                        \
  VALUES_SIMD_2(DO, cmpgts)                                                                        \
  VALUES_SIMD_2(DO, cmpgtu)                                                                        \
  VALUES_SIMD_2(DO, cmples)                                                                        \
  VALUES_SIMD_2(DO, cmpleu)                                                                        \
  VALUES_SIMD_2(DO, cmplts)                                                                        \
  VALUES_SIMD_2(DO, cmpltu)                                                                        \
  VALUES_SIMD_2(DO, seteq)                                                                         \
  VALUES_SIMD_2(DO, setne)                                                                         \
  VALUES_SIMD_2(DO, setges)                                                                        \
  VALUES_SIMD_2(DO, setgeu)                                                                        \
  VALUES_SIMD_2(DO, setgts)                                                                        \
  VALUES_SIMD_2(DO, setgtu)                                                                        \
  VALUES_SIMD_2(DO, setles)                                                                        \
  VALUES_SIMD_2(DO, setleu)                                                                        \
  VALUES_SIMD_2(DO, setlts)                                                                        \
  VALUES_SIMD_2(DO, setltu)

#define VALUES_DPX_3(DO, NAME) DO(NAME, __##NAME(a, b, c))
#define VALUES_DPX_SIGNED(DO, NAME)                                                                \
  VALUES_DPX_3(DO, NAME##_s32)                                                                     \
  VALUES_DPX_3(DO, NAME##_s32_relu)                                                                \
  VALUES_DPX_3(DO, NAME##_s16x2)                                                                   \
  VALUES_DPX_3(DO, NAME##_s16x2_relu) VALUES_DPX_3(DO, NAME##_u32) VALUES_DPX_3(DO, NAME##_u16x2)
#define VALUES_DPX_FLAG(DO, NAME)                                                                  \
  DO(NAME##_s32, (wide = (u32)__##NAME##_s32(a, b, &first), wide << 1 | first))                    \
  DO(NAME##_u32, (wide = __##NAME##_u32(a, b, &first), wide << 1 | first))                         \
  DO(NAME##_s16x2,                                                                                 \
     (wide = __##NAME##_s16x2(a, b, &first, &second), wide * 4 + first * 2 + second))              \
  DO(NAME##_u16x2, (wide = __##NAME##_u16x2(a, b, &first, &second), wide * 4 + first * 2 + second))
#define VALUES_DPX(DO)                                                                             \
  VALUES_DPX_SIGNED(DO, vimax3)                                                                    \
  VALUES_DPX_SIGNED(DO, vimin3)                                                                    \
  VALUES_DPX_SIGNED(DO, viaddmax)                                                                  \
  VALUES_DPX_SIGNED(DO, viaddmin)                                                                  \
  VALUES_DPX_FLAG(DO, vibmax)                                                                      \
  VALUES_DPX_FLAG(DO, vibmin)                                                                      \
  DO(vimax_s32_relu, __vimax_s32_relu(a, b))                                                       \
  DO(vimin_s32_relu, __vimin_s32_relu(a, b))                                                       \
  DO(vimax_s16x2_relu, __vimax_s16x2_relu(a, b))                                                   \
  DO(vimin_s16x2_relu, __vimin_s16x2_relu(a, b))

#define VALUES_ALL(DO) VALUES_BITS(DO) VALUES_SIMD(DO) VALUES_DPX(DO)

#define VALUES_FUNCTION(NAME, EXPRESSION)                                                          \
  struct NAME {                                                                                    \
    VALUES_CODE u64 operator()(u32 a, u32 b, u32 c) const {                                        \
      u64 wide = (u64)a << 32 | b;                                                                 \
      bool first = false, second = false;                                                          \
      u64 result = (u64)(EXPRESSION);                                                              \
      (void)wide, (void)c, (void)first, (void)second;                                              \
      return result;                                                                               \
    }                                                                                              \
  };
namespace functions {
VALUES_ALL(VALUES_FUNCTION)
}
#define VALUES_COUNT_1(NAME, EXPRESSION) +1
constexpr int count = VALUES_ALL(VALUES_COUNT_1);

#define VALUES_NAME(NAME, EXPRESSION) #NAME,
const char *const names[] = {VALUES_ALL(VALUES_NAME)};

VALUES_CODE inline void digests(u64 *out) {
  int i = 0;
#define VALUES_DIGEST(NAME, EXPRESSION) out[i++] = digest(functions::NAME());
  VALUES_ALL(VALUES_DIGEST)
}

} // namespace values
