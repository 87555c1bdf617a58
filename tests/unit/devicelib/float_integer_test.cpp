// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer intrinsics, conversions to integers, and the exact single-precision functions, against
// plain definitions of what they do.
#include "float_accuracy.h"

#include <cfenv>
#include <climits>
#include <cstring>
#include <random>

using namespace heddle::test;

extern "C" {
int __nv_abs(int), __nv_brev(int), __nv_clz(int), __nv_ffs(int), __nv_popc(unsigned);
int __nv_clzll(long long), __nv_ffsll(long long), __nv_popcll(unsigned long long);
long long __nv_llabs(long long), __nv_brevll(long long), __nv_mul64hi(long long, long long);
unsigned long long __nv_umul64hi(unsigned long long, unsigned long long);
int __nv_byte_perm(int, int, int), __nv_hadd(int, int), __nv_rhadd(int, int);
int __nv_uhadd(unsigned, unsigned), __nv_mul24(int, int), __nv_mulhi(int, int);
unsigned __nv_urhadd(unsigned, unsigned), __nv_umul24(unsigned, unsigned);
unsigned __nv_umulhi(unsigned, unsigned), __nv_usad(unsigned, unsigned, unsigned);
int __nv_sad(int, int, int);
unsigned short __nv_float2half_rn(float);
float __nv_half2float(unsigned short);
int __nv_double2hiint(double), __nv_double2loint(double);
double __nv_hiloint2double(int, int);
#define CONVERSION(Int, name)                                                                      \
  Int __nv_##name##_rz(SOURCE), __nv_##name##_rd(SOURCE), __nv_##name##_ru(SOURCE),                \
      __nv_##name##_rn(SOURCE);
#define SOURCE float
CONVERSION(int, float2int)
CONVERSION(unsigned, float2uint)
CONVERSION(long long, float2ll)
CONVERSION(unsigned long long, float2ull)
#undef SOURCE
#define SOURCE double
CONVERSION(int, double2int)
CONVERSION(unsigned, double2uint)
CONVERSION(long long, double2ll)
CONVERSION(unsigned long long, double2ull)
#undef SOURCE
int __nv_vadd4(int, int), __nv_vaddss4(int, int), __nv_vaddus2(int, int), __nv_vsubus4(int, int);
int __nv_vabsss4(int), __nv_vabs2(int), __nv_vnegss2(int), __nv_vneg4(int), __nv_vavgs2(int, int);
int __nv_vavgu4(int, int), __nv_vhaddu4(int, int), __nv_vsads4(int, int), __nv_vsadu2(int, int);
int __nv_vcmpgts4(int, int), __nv_vcmpgtu4(int, int), __nv_vsetltu2(int, int);
int __nv_vmaxs2(int, int), __nv_vminu4(int, int), __nv_vabsdiffs4(int, int);
}

namespace {

std::mt19937_64 generator(99);

// Numbers of all magnitudes, near powers of two among them.
uint64_t hardWord() {
  uint64_t x = generator() >> generator() % 64;
  uint64_t y = (1ull << generator() % 64) + generator() % 3 - 1;
  return generator() % 3 == 0 ? y : generator() % 2 ? x : 0 - x;
}

TEST(DeviceInteger, BitCounting) {
  for (int i = 0; i < 100000; ++i) {
    uint64_t x = hardWord();
    int leading = 64, trailing = 0, ones = 0;
    uint64_t reversed = 0;
    for (int bit = 0; bit < 64; ++bit)
      if (x >> bit & 1) {
        leading = 63 - bit;
        trailing = trailing ? trailing : bit + 1;
        ++ones;
        reversed |= 1ull << (63 - bit);
      }
    ASSERT_EQ(__nv_clzll(x), leading) << x;
    ASSERT_EQ(__nv_ffsll(x), trailing) << x;
    ASSERT_EQ(__nv_popcll(x), ones) << x;
    ASSERT_EQ(uint64_t(__nv_brevll(x)), reversed) << x;
    uint32_t low = uint32_t(x);
    ASSERT_EQ(__nv_clz(low), __nv_clzll(low) - 32) << low;
    ASSERT_EQ(__nv_ffs(low), __nv_ffsll(low)) << low;
    ASSERT_EQ(__nv_popc(low), __nv_popcll(low)) << low;
    ASSERT_EQ(uint32_t(__nv_brev(low)), uint32_t(reversed >> 32)) << low;
  }
  EXPECT_EQ(__nv_clz(0), 32);
  EXPECT_EQ(__nv_ffs(0), 0);
  EXPECT_EQ(__nv_clzll(0), 64);
  EXPECT_EQ(__nv_abs(INT_MIN), INT_MIN);
  EXPECT_EQ(__nv_llabs(LLONG_MIN), LLONG_MIN);
}

TEST(DeviceInteger, Arithmetic) {
  for (int i = 0; i < 100000; ++i) {
    uint64_t x = hardWord(), y = hardWord();
    ASSERT_EQ(__nv_umul64hi(x, y), uint64_t((unsigned __int128)x * y >> 64));
    ASSERT_EQ(__nv_mul64hi(x, y), int64_t((__int128)int64_t(x) * int64_t(y) >> 64));
    uint32_t a = uint32_t(x), b = uint32_t(y), c = uint32_t(x >> 32);
    int64_t s = int32_t(a), t = int32_t(b);
    ASSERT_EQ(__nv_mulhi(a, b), int32_t(s * t >> 32));
    ASSERT_EQ(__nv_umulhi(a, b), uint32_t(uint64_t(a) * b >> 32));
    ASSERT_EQ(__nv_hadd(a, b), int32_t((s + t) >> 1));
    ASSERT_EQ(__nv_rhadd(a, b), int32_t((s + t + 1) >> 1));
    ASSERT_EQ(uint32_t(__nv_uhadd(a, b)), uint32_t((uint64_t(a) + b) >> 1));
    ASSERT_EQ(__nv_urhadd(a, b), uint32_t((uint64_t(a) + b + 1) >> 1));
    ASSERT_EQ(uint32_t(__nv_sad(a, b, c)), uint32_t(std::llabs(s - t)) + c);
    ASSERT_EQ(__nv_usad(a, b, c), uint32_t(std::llabs(int64_t(a) - int64_t(b))) + c);
    ASSERT_EQ(__nv_umul24(a, b), uint32_t(uint64_t(a & 0xffffff) * (b & 0xffffff)));
    int64_t s24 = int32_t(a << 8) >> 8, t24 = int32_t(b << 8) >> 8;
    ASSERT_EQ(__nv_mul24(a, b), int32_t(s24 * t24));
  }
  EXPECT_EQ(uint32_t(__nv_byte_perm(0x33221100, 0x77665544, 0x0246)), 0x00224466u);
  EXPECT_EQ(uint32_t(__nv_byte_perm(0x33221100, 0x77665544, 0x7531)), 0x77553311u);
  EXPECT_EQ(uint32_t(__nv_byte_perm(0x33221100, 0x77665544, 0xffffb8d9)), 0x33005511u);
}

// The words of a result, spelt out element by element.
TEST(DeviceInteger, SimdInAWord) {
  EXPECT_EQ(uint32_t(__nv_vadd4(0x7f80ff01, 0x018001ff)), 0x80000000u);
  EXPECT_EQ(uint32_t(__nv_vaddss4(0x7f80ff01, 0x01800180)), 0x7f800081u);
  EXPECT_EQ(uint32_t(__nv_vaddus2(0xffff0001, 0x00010002)), 0xffff0003u);
  EXPECT_EQ(uint32_t(__nv_vsubus4(0x01020304, 0x02010404)), 0x00010000u);
  EXPECT_EQ(uint32_t(__nv_vabsss4(int(0x80ff7f01))), 0x7f017f01u);
  EXPECT_EQ(uint32_t(__nv_vabs2(int(0x8000ffff))), 0x80000001u);
  EXPECT_EQ(uint32_t(__nv_vnegss2(int(0x80000001))), 0x7fffffffu);
  EXPECT_EQ(uint32_t(__nv_vneg4(int(0x80000102))), 0x8000fffeu);
  EXPECT_EQ(uint32_t(__nv_vavgs2(0xffff0003, 0x00000000)), 0xffff0002u);
  EXPECT_EQ(uint32_t(__nv_vavgu4(0xff010200, 0xff020300)), 0xff020300u);
  EXPECT_EQ(uint32_t(__nv_vhaddu4(0xff010200, 0xff020300)), 0xff010200u);
  EXPECT_EQ(__nv_vsads4(0x7f80ff01, int(0x807f01ff)), 255 + 255 + 2 + 2);
  EXPECT_EQ(__nv_vsadu2(int(0xffff0001), 0x00000003), 65535 + 2);
  EXPECT_EQ(uint32_t(__nv_vcmpgts4(0x7f80ff01, 0x00000001)), 0xff000000u);
  EXPECT_EQ(uint32_t(__nv_vcmpgtu4(0x7f80ff01, 0x00000001)), 0xffffff00u);
  EXPECT_EQ(uint32_t(__nv_vsetltu2(0x00010005, 0x00020005)), 0x00010000u);
  EXPECT_EQ(uint32_t(__nv_vmaxs2(0x80000001, 0x00018000)), 0x00010001u);
  EXPECT_EQ(uint32_t(__nv_vminu4(0x80010203, 0x01800301)), 0x01010201u);
  EXPECT_EQ(uint32_t(__nv_vabsdiffs4(0x7f00ff01, int(0x8000017f))), 0xff00027eu);
}

// What cvt does: round in the given mode, then saturate (PTX ISA, cvt).
template <typename Int, typename Float> Int convertReference(Float x, int mode) {
  if (std::isnan(x))
    return sizeof(Int) == 4 && sizeof(Float) == 4 ? Int(0) : Int(1ull << (8 * sizeof(Int) - 1));
  std::fesetround(mode);
  volatile long double argument = x;
  long double rounded = rintl(argument);
  std::fesetround(FE_TONEAREST);
  if (rounded < std::numeric_limits<Int>::min())
    return std::numeric_limits<Int>::min();
  if (rounded > static_cast<long double>(std::numeric_limits<Int>::max()))
    return std::numeric_limits<Int>::max();
  return Int(rounded);
}

template <typename Int, typename Float> void checkConversions(Int (*const (&functions)[4])(Float)) {
  const int modes[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, FE_TONEAREST};
  for (int i = 0; i < 100000; ++i) {
    Float x;
    uint64_t random = generator();
    std::memcpy(&x, &random, sizeof x);
    if (i % 4 == 1)
      x = Float(int64_t(hardWord())) / 2;
    if (i % 4 == 2)
      x = std::nextafter(Float(int64_t(hardWord())) + Float(0.5), Float(i % 8 < 4 ? 1e30 : -1e30));
    if (i % 4 == 3)
      x = std::ldexp(Float(i % 8 < 4 ? 1 : -1), int(random % 70) - 3);
    for (int m = 0; m < 4; ++m)
      ASSERT_EQ(functions[m](x), (convertReference<Int, Float>(x, modes[m]))) << x << " mode " << m;
  }
  for (Float x : {Float(NAN), Float(INFINITY), -Float(INFINITY), Float(0), -Float(0)})
    for (int m = 0; m < 4; ++m)
      EXPECT_EQ(functions[m](x), (convertReference<Int, Float>(x, modes[m]))) << x << " mode " << m;
}

#define ALL_MODES(name) {__nv_##name##_rz, __nv_##name##_rd, __nv_##name##_ru, __nv_##name##_rn}
TEST(DeviceConversion, FloatToInteger) {
  checkConversions<int, float>(ALL_MODES(float2int));
  checkConversions<unsigned, float>(ALL_MODES(float2uint));
  checkConversions<long long, float>(ALL_MODES(float2ll));
  checkConversions<unsigned long long, float>(ALL_MODES(float2ull));
}
TEST(DeviceConversion, DoubleToInteger) {
  checkConversions<int, double>(ALL_MODES(double2int));
  checkConversions<unsigned, double>(ALL_MODES(double2uint));
  checkConversions<long long, double>(ALL_MODES(double2ll));
  checkConversions<unsigned long long, double>(ALL_MODES(double2ull));
}

TEST(DeviceConversion, Half) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    float x = __nv_half2float(static_cast<unsigned short>(bits));
    int exponent = int(bits >> 10 & 31);
    double magnitude = exponent == 31 ? (bits & 1023 ? NAN : INFINITY)
                       : exponent     ? std::ldexp(1024 + (bits & 1023), exponent - 25)
                                      : std::ldexp(bits & 1023, -24);
    ASSERT_EQ(distance(x, std::copysign(float(magnitude), bits >> 15 ? -1.0f : 1.0f)), 0u) << bits;
    if (exponent == 31)
      continue;
    ASSERT_EQ(__nv_float2half_rn(x), bits);
    // Half way to the next number: to the even one.
    float next = __nv_half2float(static_cast<unsigned short>(bits + 1));
    float middle = std::isinf(next) ? std::copysign(65520.0f, x) : (x + next) / 2;
    ASSERT_EQ(__nv_float2half_rn(middle), (bits + 1) & ~1u) << bits;
    ASSERT_EQ(__nv_float2half_rn(std::nextafter(middle, 0.0f)), bits) << bits;
  }
  EXPECT_EQ(__nv_float2half_rn(INFINITY), 0x7c00);
  EXPECT_EQ(__nv_float2half_rn(0x1p-26f), 0);
  EXPECT_GT(__nv_float2half_rn(NAN) & 0x7fff, 0x7c00);
  double d = __nv_hiloint2double(0x400921fb, 0x54442d18);
  EXPECT_EQ(d, 3.141592653589793);
  EXPECT_EQ(__nv_double2hiint(d), 0x400921fb);
  EXPECT_EQ(__nv_double2loint(d), 0x54442d18);
}

TEST(DeviceFloatExact, OneArgument) {
  expectUlp("roundf", __nv_roundf, [](double x) { return round(x); }, 0);
  expectUlp("roundf", __nv_roundf, [](double x) { return round(x); }, 0, -10, 10);
  expectUlp("logbf", __nv_logbf, [](double x) { return logb(x); }, 0);
  for (float x : {0.49999997f, 0.5f, -0.5f, 1.5f, 2.5f, -2.5f, 8388607.5f, 8388609.0f, 0x1p-149f,
                  -0x1.8p-127f, 3e38f, INFINITY, -INFINITY, 0.0f, -0.0f, NAN}) {
    EXPECT_EQ(distance(__nv_roundf(x), std::round(x)), 0u) << x;
    int exponent = 77, reference = 77;
    EXPECT_EQ(distance(__nv_frexpf(x, &exponent), std::frexp(x, &reference)), 0u) << x;
    if (std::isfinite(x)) {
      EXPECT_EQ(exponent, reference) << x;
    }
    if (std::fabs(x) < 0x1p63f) {
      EXPECT_EQ(__nv_llroundf(x), std::llround(x)) << x;
      EXPECT_EQ(__nv_llrintf(x), std::llrint(x)) << x;
    }
    float whole, reference_whole;
    EXPECT_EQ(distance(__nv_modff(x, &whole), std::modf(x, &reference_whole)), 0u) << x;
    EXPECT_EQ(distance(whole, reference_whole), 0u) << x;
    for (int n :
         {0, 1, -1, 24, -24, 126, -126, 149, -149, 277, -300, 5000, -5000, INT_MAX, INT_MIN})
      EXPECT_EQ(distance(__nv_ldexpf(x, n), std::ldexp(x, n)), 0u) << x << " " << n;
    EXPECT_EQ(__nv_saturatef(x), x > 1 ? 1 : x > 0 ? x : 0) << x;
  }
  EXPECT_EQ(__nv_llroundf(3e38f), LLONG_MAX);
  EXPECT_EQ(__nv_llrintf(-3e38f), LLONG_MIN);
  EXPECT_EQ(__nv_ilogbf(0x1p-149f), -149);
  EXPECT_EQ(__nv_ilogbf(0.75f), -1);
  EXPECT_EQ(__nv_ilogbf(0), INT_MIN);
  EXPECT_EQ(__nv_ilogbf(INFINITY), INT_MAX);
}

float randomFloat() {
  uint32_t bits = uint32_t(generator());
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return std::isnan(x) ? NAN : x; // the C library treats signalling NaNs apart
}

TEST(DeviceFloatExact, TwoArguments) {
  const float specials[] = {0,          -0.0f, 1,        -1,        2.5f, 0x1p-149f,
                            -0x1p-149f, 3e38f, INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 100000; ++i) {
    float x = generator() % 8 ? randomFloat() : specials[generator() % 11];
    float y = generator() % 8 ? randomFloat() : specials[generator() % 11];
    if (i % 2) // comparable magnitudes, and exact halves among the quotients
      y = std::ldexp(float(i % 64 + 1), std::isfinite(x) && x != 0 ? std::ilogb(x) - i % 20 : 0);
    if (i % 4 == 1)
      x = y * (float(i % 100) + 0.5f);
    ASSERT_EQ(distance(__nv_fmodf(x, y), std::fmod(x, y)), 0u) << x << " " << y;
    ASSERT_EQ(distance(__nv_remainderf(x, y), std::remainder(x, y)), 0u) << x << " " << y;
    int quotient, reference;
    float r = std::remquo(x, y, &reference);
    ASSERT_EQ(distance(__nv_remquof(x, y, &quotient), r), 0u) << x << " " << y;
    if (!std::isnan(r)) {
      ASSERT_EQ((quotient - reference) % 8, 0) << x << " " << y;
    }
    ASSERT_EQ(distance(__nv_nextafterf(x, y), std::nextafter(x, y)), 0u) << x << " " << y;
    ASSERT_EQ(distance(__nv_fdimf(x, y), std::fdim(x, y)), 0u) << x << " " << y;
    if (x != y) { // the sign of a zero is free
      ASSERT_EQ(distance(__nv_fmaxf(x, y), std::fmax(x, y)), 0u) << x << " " << y;
      ASSERT_EQ(distance(__nv_fminf(x, y), std::fmin(x, y)), 0u) << x << " " << y;
    }
  }
}

} // namespace
