// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparing a single-precision device function with a double-precision reference over many
// arguments. Each check reports the argument where the function is worst.
#ifndef HEDDLE_TESTS_FLOAT_ACCURACY_H
#define HEDDLE_TESTS_FLOAT_ACCURACY_H

#include <cmath>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

#define UNARY(name) float __nv_##name(float);
#define BINARY(name) float __nv_##name(float, float);
extern "C" {
UNARY(expf)
UNARY(exp2f)
UNARY(exp10f)
UNARY(expm1f)
UNARY(sinhf)
UNARY(coshf)
UNARY(tanhf)
UNARY(logf)
UNARY(log2f)
UNARY(log10f)
UNARY(log1pf)
UNARY(asinhf)
UNARY(acoshf)
UNARY(atanhf)
UNARY(sinf)
UNARY(cosf)
UNARY(tanf)
UNARY(sinpif)
UNARY(cospif)
UNARY(asinf)
UNARY(acosf)
UNARY(atanf)
UNARY(rsqrtf)
UNARY(cbrtf)
UNARY(rcbrtf)
UNARY(erff)
UNARY(erfcf)
UNARY(erfcxf)
UNARY(erfinvf)
UNARY(erfcinvf)
UNARY(normcdff)
UNARY(normcdfinvf)
UNARY(lgammaf)
UNARY(tgammaf)
UNARY(j0f)
UNARY(j1f)
UNARY(y0f)
UNARY(y1f)
UNARY(cyl_bessel_i0f)
UNARY(cyl_bessel_i1f)
UNARY(fast_expf)
UNARY(fast_exp10f)
UNARY(fast_sinf)
UNARY(fast_cosf)
UNARY(fast_tanf)
UNARY(fast_logf)
UNARY(fast_log2f)
UNARY(fast_log10f)
UNARY(roundf)
UNARY(logbf)
UNARY(saturatef)
UNARY(rintf)
UNARY(ceilf)
BINARY(atan2f)
BINARY(powf)
BINARY(hypotf)
BINARY(rhypotf)
BINARY(fmodf)
BINARY(remainderf)
BINARY(nextafterf)
BINARY(fdimf)
BINARY(fast_fdividef)
BINARY(fast_powf)
BINARY(fmaxf)
BINARY(fminf)
void __nv_sincosf(float, float *, float *);
void __nv_sincospif(float, float *, float *);
void __nv_fast_sincosf(float, float *, float *);
float __nv_norm3df(float, float, float), __nv_rnorm3df(float, float, float);
float __nv_norm4df(float, float, float, float), __nv_rnorm4df(float, float, float, float);
float __nv_normf(int, const float *), __nv_rnormf(int, const float *);
float __nv_powif(float, int), __nv_ldexpf(float, int), __nv_frexpf(float, int *);
float __nv_modff(float, float *), __nv_remquof(float, float, int *);
float __nv_jnf(int, float), __nv_ynf(int, float);
int __nv_ilogbf(float);
long long __nv_llrintf(float), __nv_llroundf(float);
}
#undef UNARY
#undef BINARY

namespace heddle::test {

using Function = std::function<float(float)>;
using Function2 = std::function<float(float, float)>;
using Reference = std::function<double(double)>;
using Reference2 = std::function<double(double, double)>;

// How many floats lie between two numbers; 0 for two NaNs, and huge where only one is NaN, or where
// zeros or infinities differ in sign.
uint32_t distance(float x, float y);

// The whole range of floats, with infinities, NaNs and denormals, or those from low to high.
void expectUlp(const char *name, Function function, Reference reference, double bound);
void expectUlp(const char *name, Function function, Reference reference, double bound, float low,
               float high);
void expectUlpBound(const char *name, Function function, Reference reference,
                    std::function<double(float)> bound, float low, float high);
void expectAbsolute(const char *name, Function function, Reference reference, double bound,
                    float low, float high);
// Pairs: any bit patterns, and moderate numbers.
void expectUlp2(const char *name, Function2 function, Reference2 reference, double bound);

} // namespace heddle::test

#endif
