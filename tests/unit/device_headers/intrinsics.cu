// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every integer, conversion, rounding, fast-math and SIMD intrinsic is there and takes these types.
#define ROUND_1(NAME, X) s += NAME##_rn(X) + NAME##_rz(X) + NAME##_ru(X) + NAME##_rd(X);
#define ROUND_2(NAME, X) s += NAME##_rn(X, X) + NAME##_rz(X, X) + NAME##_ru(X, X) + NAME##_rd(X, X);
#define ROUND_3(NAME, X)                                                                           \
  s += NAME##_rn(X, X, X) + NAME##_rz(X, X, X) + NAME##_ru(X, X, X) + NAME##_rd(X, X, X);

__global__ void integers(unsigned *out, int i, unsigned u, long long l, unsigned long long ull) {
  unsigned long long s = 0;
  s += __popc(u) + __popcll(ull) + __clz(i) + __clzll(l) + __ffs(i) + __ffsll(l) + __brev(u) +
       __brevll(ull) + __byte_perm(u, u, u);
  s += __nv_bswap16((unsigned short)u) + __nv_bswap32(u) + __nv_bswap64(ull);
  s += __funnelshift_l(u, u, u) + __funnelshift_lc(u, u, u) + __funnelshift_r(u, u, u) +
       __funnelshift_rc(u, u, u) + __fns(u, u, i);
  s += __mul24(i, i) + __umul24(u, u) + __mulhi(i, i) + __umulhi(u, u) + __mul64hi(l, l) +
       __umul64hi(ull, ull) + __hadd(i, i) + __rhadd(i, i) + __uhadd(u, u) + __urhadd(u, u) +
       __sad(i, i, u) + __usad(u, u, u) + mulhi(i, i) + mul24(i, i) + umul24(u, u) + mul64hi(l, l);
  char4 c4 = make_char4(1, 2, 3, 4);
  uchar4 uc4 = make_uchar4(1, 2, 3, 4);
  short2 s2 = make_short2(1, 2);
  ushort2 us2 = make_ushort2(1, 2);
  s += __dp4a(i, i, i) + __dp4a(u, u, u) + __dp4a(c4, c4, i) + __dp4a(uc4, uc4, u);
  s += __dp2a_lo(i, i, i) + __dp2a_lo(u, u, u) + __dp2a_lo(s2, c4, i) + __dp2a_lo(us2, uc4, u);
  s += __dp2a_hi(i, i, i) + __dp2a_hi(u, u, u) + __dp2a_hi(s2, c4, i) + __dp2a_hi(us2, uc4, u);
  *out = (unsigned)s;
}

__global__ void conversions(double *out, float f, double d, int i, unsigned u, long long l,
                            unsigned long long ull) {
  double s = 0;
  ROUND_1(__float2int, f)
  ROUND_1(__float2uint, f)
  ROUND_1(__float2ll, f)
  ROUND_1(__float2ull, f)
  ROUND_1(__double2int, d)
  ROUND_1(__double2uint, d)
  ROUND_1(__double2ll, d)
  ROUND_1(__double2ull, d)
  ROUND_1(__double2float, d)
  ROUND_1(__int2float, i)
  ROUND_1(__uint2float, u)
  ROUND_1(__ll2float, l)
  ROUND_1(__ull2float, ull)
  ROUND_1(__ll2double, l)
  ROUND_1(__ull2double, ull)
  s += __int2double_rn(i) + __uint2double_rn(u);
  s += __float_as_int(f) + __float_as_uint(f) + __int_as_float(i) + __uint_as_float(u) +
       __double_as_longlong(d) + __longlong_as_double(l) + __double2hiint(d) + __double2loint(d) +
       __hiloint2double(i, i);
  *out = s;
}

__global__ void rounding(double *out, float f, double d) {
  double s = 0;
  ROUND_2(__fadd, f)
  ROUND_2(__fsub, f)
  ROUND_2(__fmul, f)
  ROUND_2(__fdiv, f)
  ROUND_1(__frcp, f)
  ROUND_1(__fsqrt, f)
  ROUND_3(__fmaf, f)
  ROUND_3(__fmaf_ieee, f)
  ROUND_2(__dadd, d)
  ROUND_2(__dsub, d)
  ROUND_2(__dmul, d)
  ROUND_2(__ddiv, d)
  ROUND_1(__drcp, d)
  ROUND_1(__dsqrt, d)
  ROUND_3(__fma, d)
  float sine, cosine;
  __sincosf(f, &sine, &cosine);
  s += sine + cosine + __frsqrt_rn(f) + __sinf(f) + __cosf(f) + __tanf(f) + __expf(f) +
       __exp10f(f) + __logf(f) + __log2f(f) + __log10f(f) + __powf(f, f) + __fdividef(f, f) +
       __saturatef(f);
  *out = s;
}

#define SIGNED(N, a, b)                                                                            \
  s += __vabs##N(a) + __vabsss##N(a) + __vneg##N(a) + __vnegss##N(a) + __vaddss##N(a, b) +         \
       __vsubss##N(a, b) + __vabsdiffs##N(a, b) + __vavgs##N(a, b) + __vmaxs##N(a, b) +            \
       __vmins##N(a, b) + __vsads##N(a, b);
#define UNSIGNED(N, a, b)                                                                          \
  s += __vadd##N(a, b) + __vsub##N(a, b) + __vaddus##N(a, b) + __vsubus##N(a, b) +                 \
       __vabsdiffu##N(a, b) + __vavgu##N(a, b) + __vhaddu##N(a, b) + __vmaxu##N(a, b) +            \
       __vminu##N(a, b) + __vsadu##N(a, b);
#define COMPARE(N, a, b)                                                                           \
  s += __vcmpeq##N(a, b) + __vcmpne##N(a, b) + __vcmpges##N(a, b) + __vcmpgeu##N(a, b) +           \
       __vcmpgts##N(a, b) + __vcmpgtu##N(a, b) + __vcmples##N(a, b) + __vcmpleu##N(a, b) +         \
       __vcmplts##N(a, b) + __vcmpltu##N(a, b) + __vseteq##N(a, b) + __vsetne##N(a, b) +           \
       __vsetges##N(a, b) + __vsetgeu##N(a, b) + __vsetgts##N(a, b) + __vsetgtu##N(a, b) +         \
       __vsetles##N(a, b) + __vsetleu##N(a, b) + __vsetlts##N(a, b) + __vsetltu##N(a, b);
__global__ void simd(unsigned *out, unsigned a, unsigned b, int i) {
  unsigned s = 0;
  SIGNED(2, a, b)
  SIGNED(4, a, b)
  UNSIGNED(2, a, b) UNSIGNED(4, a, b) COMPARE(2, a, b) COMPARE(4, a, b) bool high, low;
  s += __viaddmax_s32(i, i, i) + __viaddmin_s32_relu(i, i, i) + __viaddmax_u32(a, b, a) +
       __viaddmin_s16x2(a, b, a) + __viaddmax_u16x2(a, b, a) + __vimax3_s32(i, i, i) +
       __vimin3_s16x2_relu(a, b, a) + __vimax_s32_relu(i, i) + __vimin_s16x2_relu(a, b) +
       __vibmax_s32(i, i, &high) + __vibmin_u32(a, b, &high) + __vibmax_s16x2(a, b, &high, &low) +
       __vibmin_u16x2(a, b, &high, &low);
  *out = s + high + low;
}

// DPX functions may be called by host code.
int onHost() { return __viaddmax_s32(1, 2, 4) + (int)__vimax3_u16x2(1, 2, 3); }
