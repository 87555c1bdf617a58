// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every math function, in double, in float by its own name and by overload, on device and host.
#include <cmath>

// C's functions.
#define C_1(DO)                                                                                    \
  DO(acos)                                                                                         \
  DO(acosh)                                                                                        \
  DO(asin)                                                                                         \
  DO(asinh)                                                                                        \
  DO(atan)                                                                                         \
  DO(atanh)                                                                                        \
  DO(cbrt)                                                                                         \
  DO(ceil)                                                                                         \
  DO(cos)                                                                                          \
  DO(cosh)                                                                                         \
  DO(erf)                                                                                          \
  DO(erfc)                                                                                         \
  DO(exp)                                                                                          \
  DO(exp2)                                                                                         \
  DO(expm1)                                                                                        \
  DO(fabs)                                                                                         \
  DO(floor)                                                                                        \
  DO(lgamma)                                                                                       \
  DO(log)                                                                                          \
  DO(log10)                                                                                        \
  DO(log1p)                                                                                        \
  DO(log2)                                                                                         \
  DO(logb)                                                                                         \
  DO(nearbyint)                                                                                    \
  DO(rint)                                                                                         \
  DO(round)                                                                                        \
  DO(sin)                                                                                          \
  DO(sinh)                                                                                         \
  DO(sqrt)                                                                                         \
  DO(tan)                                                                                          \
  DO(tanh)                                                                                         \
  DO(tgamma)                                                                                       \
  DO(trunc)                                                                                        \
  DO(ilogb)                                                                                        \
  DO(llrint)                                                                                       \
  DO(llround)                                                                                      \
  DO(lrint)                                                                                        \
  DO(lround)
#define C_2(DO)                                                                                    \
  DO(atan2)                                                                                        \
  DO(copysign)                                                                                     \
  DO(fdim)                                                                                         \
  DO(fmax)                                                                                         \
  DO(fmin)                                                                                         \
  DO(fmod)                                                                                         \
  DO(hypot)                                                                                        \
  DO(nextafter)                                                                                    \
  DO(pow)                                                                                          \
  DO(remainder)
// CUDA's own.
#define CUDA_1(DO)                                                                                 \
  DO(rsqrt)                                                                                        \
  DO(rcbrt)                                                                                        \
  DO(sinpi)                                                                                        \
  DO(cospi)                                                                                        \
  DO(exp10)                                                                                        \
  DO(erfinv)                                                                                       \
  DO(erfcinv)                                                                                      \
  DO(erfcx)                                                                                        \
  DO(normcdf)                                                                                      \
  DO(normcdfinv)                                                                                   \
  DO(cyl_bessel_i0)                                                                                \
  DO(cyl_bessel_i1)
#define BESSEL(DO)                                                                                 \
  DO(j0)                                                                                           \
  DO(j1)                                                                                           \
  DO(y0)                                                                                           \
  DO(y1)

#define SAME(A, B) static_assert(__is_same(A, B), "overload")
#define ONE(NAME) s += NAME(d) + NAME##f(f) + NAME(f) + NAME(3);
#define ONE_STD(NAME) s += std::NAME(d) + std::NAME(f) + std::NAME(3);
#define ONE_CUDA(NAME)                                                                             \
  s += NAME(d) + NAME##f(f) + NAME(f);                                                             \
  SAME(decltype(NAME(f)), float);
#define TWO(NAME) s += NAME(d, d) + NAME##f(f, f) + NAME(f, f) + NAME(d, f) + NAME(f, d);
#define TWO_STD(NAME) s += std::NAME(d, d) + std::NAME(f, f) + std::NAME(d, f) + std::NAME(3, d);

#define BODY                                                                                       \
  C_1(ONE) C_1(ONE_STD) C_2(TWO) C_2(TWO_STD) CUDA_1(ONE_CUDA) int n;                              \
  float fs, fc;                                                                                    \
  double ds, dc;                                                                                   \
  s += fma(d, d, d) + fmaf(f, f, f) + fma(f, f, f) + std::fma(f, f, f);                            \
  s += frexp(d, &n) + frexpf(f, &n) + frexp(f, &n) + ldexp(d, n) + ldexpf(f, n) + ldexp(f, n);     \
  s += modf(d, &ds) + modff(f, &fs) + modf(f, &fs) + remquo(d, d, &n) + remquof(f, f, &n);         \
  s += scalbn(d, n) + scalbnf(f, n) + scalbn(f, n) + scalbln(d, n) + scalblnf(f, n);               \
  s += std::scalbn(f, n) + std::remquo(f, f, &n) + nan("") + nanf("") + std::nan("");              \
  s += abs(d) + abs(f) + abs(-3) + abs(-3l) + abs(-3ll) + labs(-3l) + llabs(-3ll) + std::abs(f);   \
  s += isnan(d) + isnan(f) + isinf(d) + isinf(f) + isfinite(d) + isfinite(f) + signbit(d) +        \
       signbit(f) + isnormal(d) + std::isnan(f) + std::isinf(d) + std::isfinite(f) +               \
       std::signbit(d) + isunordered(d, d) + isless(f, f);                                         \
  sincos(d, &ds, &dc);                                                                             \
  sincosf(f, &fs, &fc);                                                                            \
  sincos(f, &fs, &fc);                                                                             \
  s += ds + dc + fs + fc;                                                                          \
  sincospi(d, &ds, &dc);                                                                           \
  sincospif(f, &fs, &fc);                                                                          \
  sincospi(f, &fs, &fc);                                                                           \
  s += ds + dc + fs + fc;                                                                          \
  s += norm3d(d, d, d) + norm3df(f, f, f) + norm4d(d, d, d, d) + norm4df(f, f, f, f);              \
  s += rnorm3d(d, d, d) + rnorm3df(f, f, f) + rnorm4d(d, d, d, d) + rnorm4df(f, f, f, f);          \
  s += rhypot(d, d) + rhypotf(f, f) + rhypot(f, f) + norm(2, out) + rnorm(2, out);                 \
  s += normf(2, (const float *)out) + rnormf(2, (const float *)out);                               \
  s += fdividef(f, f) + fdivide(f, f) + fdivide(d, d) + jn(2, d) + jnf(2, f) + yn(2, d);           \
  s += j0(d) + j0f(f) + j1(d) + j1f(f) + y0(d) + y0f(f) + y1(d) + y1f(f);                          \
  s += min(1, 2) + min(1u, 2u) + min(1, 2u) + min(1u, 2) + min(1l, 2l) + min(1ul, 2ul) +           \
       min(1l, 2ul) + min(1ll, 2ll) + min(1ull, 2ull) + min(1ull, 2ll) + min(f, f) + min(d, d) +   \
       min(f, d) + min(d, f);                                                                      \
  s += max(1, 2) + max(1u, 2u) + max(1, 2u) + max(1u, 2) + max(1l, 2l) + max(1ul, 2ul) +           \
       max(1l, 2ul) + max(1ll, 2ll) + max(1ull, 2ull) + max(1ull, 2ll) + max(f, f) + max(d, d) +   \
       max(f, d) + max(d, f);                                                                      \
  s += umin(1u, 2u) + umax(1u, 2u) + llmin(1, 2) + llmax(1, 2) + ullmin(1, 2) + ullmax(1, 2);

__global__ void device(double *out, double d, float f) {
  double s = 0;
  BODY *out = s;
}

double host(double *out, double d, float f) {
  double s = 0;
  BODY return s;
}

// The overload that a call picks has the type of its argument.
__host__ __device__ void overloads(float f, double d) {
  SAME(decltype(sin(f)), float);
  SAME(decltype(sin(d)), double);
  SAME(decltype(sin(1)), double);
  SAME(decltype(min(f, f)), float);
  SAME(decltype(min(f, d)), double);
  SAME(decltype(min(1, 2u)), unsigned);
  SAME(decltype(min(1ll, 2ll)), long long);
  SAME(decltype(fmaxf(f, f)), float);
  SAME(decltype(fmax(f, f)), float);
  SAME(decltype(abs(f)), float);
  SAME(decltype(pow(f, 2)), decltype(pow(f, 2)));
}

__global__ void fast(float *out, float f) {
  float s, c;
  sincosf(f, &s, &c);
  *out = sinf(f) + cosf(f) + logf(f) + log2f(f) + log10f(f) + expf(f) + tanf(f) + powf(f, f) +
         exp10f(f) + sin(f) + exp(f) + s + c + f / s;
}
