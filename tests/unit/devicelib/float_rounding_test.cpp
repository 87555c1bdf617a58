// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directed rounding, in float and double, against the processor's own rounding modes.
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

#define UNARY(T, name) extern "C" T __nv_##name##_rz(T), __nv_##name##_rd(T), __nv_##name##_ru(T);
#define BINARY(T, name)                                                                            \
  extern "C" T __nv_##name##_rz(T, T), __nv_##name##_rd(T, T), __nv_##name##_ru(T, T);
#define TERNARY(T, name)                                                                           \
  extern "C" T __nv_##name##_rz(T, T, T), __nv_##name##_rd(T, T, T), __nv_##name##_ru(T, T, T);
BINARY(float, fadd)
BINARY(float, fsub)
BINARY(float, fmul)
BINARY(float, fdiv)
UNARY(float, frcp)
UNARY(float, fsqrt)
TERNARY(float, fmaf)
BINARY(double, dadd)
BINARY(double, dsub)
BINARY(double, dmul)
BINARY(double, ddiv)
UNARY(double, drcp)
UNARY(double, dsqrt)
TERNARY(double, fma)
extern "C" float __nv_double2float_rz(double), __nv_double2float_rd(double),
    __nv_double2float_ru(double), __nv_ll2float_rz(long long), __nv_ll2float_rd(long long),
    __nv_ll2float_ru(long long), __nv_ull2float_rz(unsigned long long),
    __nv_ull2float_rd(unsigned long long), __nv_ull2float_ru(unsigned long long),
    __nv_int2float_rz(int), __nv_int2float_rd(int), __nv_int2float_ru(int),
    __nv_uint2float_rz(unsigned), __nv_uint2float_rd(unsigned), __nv_uint2float_ru(unsigned),
    __nv_frsqrt_rn(float);
extern "C" double __nv_ll2double_rz(long long), __nv_ll2double_rd(long long),
    __nv_ll2double_ru(long long), __nv_ull2double_rz(unsigned long long),
    __nv_ull2double_rd(unsigned long long), __nv_ull2double_ru(unsigned long long);

namespace {

template <typename T> struct Word;
template <> struct Word<float> {
  using Type = uint32_t;
};
template <> struct Word<double> {
  using Type = uint64_t;
};
template <typename T> auto bits(T x) {
  typename Word<T>::Type word;
  std::memcpy(&word, &x, sizeof x);
  return word;
}
template <typename T> T value(typename Word<T>::Type word) {
  T x;
  std::memcpy(&x, &word, sizeof x);
  return x;
}
template <typename T> bool same(T x, T y) {
  return std::isnan(x) ? std::isnan(y) : bits(x) == bits(y);
}

std::mt19937_64 generator(20240607);

// Numbers that make rounding hard: any bits, specials, few significant bits, and neighbours.
template <typename T> T hardNumber() {
  using Type = typename Word<T>::Type;
  constexpr int mantissa_bits = sizeof(T) == 4 ? 23 : 52;
  static const T specials[] = {T(0),
                               T(1),
                               T(2),
                               std::numeric_limits<T>::infinity(),
                               std::numeric_limits<T>::max(),
                               std::numeric_limits<T>::min(),
                               std::numeric_limits<T>::denorm_min(),
                               std::numeric_limits<T>::quiet_NaN(),
                               T(1.5),
                               T(0.1)};
  Type random = Type(generator());
  Type sign = random & 1 ? 1 : 0;
  switch (generator() % 8) {
  case 0:
    return std::copysign(specials[generator() % 10], sign ? T(-1) : T(1));
  case 1: // few significant bits
    return value<T>(random & ~((Type(1) << (mantissa_bits - generator() % 6)) - 1));
  case 2: // next to a power of two
    return value<T>((random & ~((Type(1) << mantissa_bits) - 1)) + Type(generator() % 5) - 2);
  case 3: // denormals
    return value<T>(random & ((Type(1) << mantissa_bits) - 1));
  case 4: // near 1
    return std::ldexp(T(1) + T(random % 4096) * std::numeric_limits<T>::epsilon(),
                      int(generator() % 120) - 60) *
           (sign ? -1 : 1);
  default:
    return value<T>(random);
  }
}

// Addends that nearly cancel a product, or lie just at its rounding boundary.
template <typename T> T addendFor(T a, T b) {
  T product = a * b;
  switch (generator() % 4) {
  case 0:
    return -product;
  case 1:
    return std::ldexp(product, int(generator() % 240) - 120);
  case 2:
    return std::nextafter(-product, T(generator() % 2));
  default:
    return hardNumber<T>();
  }
}

const int modes[] = {FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
const char *const suffixes[] = {"rz", "rd", "ru"};

template <typename Result, typename Expression> Result roundedIn(int mode, Expression expression) {
  std::fesetround(mode);
  volatile Result result = expression();
  std::fesetround(FE_TONEAREST);
  return result;
}

#define FUNCTIONS(name) {__nv_##name##_rz, __nv_##name##_rd, __nv_##name##_ru}

template <typename T, typename Reference>
void checkUnary(T (*const (&functions)[3])(T), Reference reference) {
  for (int i = 0; i < 150000; ++i) {
    volatile T a = hardNumber<T>();
    for (int m = 0; m < 3; ++m) {
      T expected = roundedIn<T>(modes[m], [&] { return reference(a); });
      ASSERT_TRUE(same(functions[m](a), expected))
          << suffixes[m] << std::hexfloat << " a=" << T(a) << " is " << functions[m](a) << ", not "
          << expected;
    }
  }
}
template <typename T, typename Reference>
void checkBinary(T (*const (&functions)[3])(T, T), Reference reference) {
  for (int i = 0; i < 150000; ++i) {
    volatile T a = hardNumber<T>();
    volatile T b = generator() % 4 ? hardNumber<T>() : T(-a);
    for (int m = 0; m < 3; ++m) {
      T expected = roundedIn<T>(modes[m], [&] { return reference(a, b); });
      ASSERT_TRUE(same(functions[m](a, b), expected))
          << suffixes[m] << std::hexfloat << " a=" << T(a) << " b=" << T(b) << " is "
          << functions[m](a, b) << ", not " << expected;
    }
  }
}
template <typename T, typename Reference>
void checkTernary(T (*const (&functions)[3])(T, T, T), Reference reference) {
  for (int i = 0; i < 600000; ++i) {
    volatile T a = hardNumber<T>(), b = hardNumber<T>(), c = addendFor<T>(a, b);
    for (int m = 0; m < 3; ++m) {
      T expected = roundedIn<T>(modes[m], [&] { return reference(a, b, c); });
      ASSERT_TRUE(same(functions[m](a, b, c), expected))
          << suffixes[m] << std::hexfloat << " a=" << T(a) << " b=" << T(b) << " c=" << T(c)
          << " is " << functions[m](a, b, c) << ", not " << expected;
    }
  }
}
template <typename To, typename From>
void checkConversion(To (*const (&functions)[3])(From), From (*next)()) {
  for (int i = 0; i < 150000; ++i) {
    volatile From a = next();
    for (int m = 0; m < 3; ++m) {
      To expected = roundedIn<To>(modes[m], [&] { return static_cast<To>(a); });
      ASSERT_TRUE(same(functions[m](a), expected))
          << suffixes[m] << " a=" << From(a) << " is " << functions[m](a) << ", not " << expected;
    }
  }
}
// Integers of every magnitude, with long runs of ones and zeros among them.
template <typename Int> Int hardInteger() {
  uint64_t x = generator() >> generator() % 64;
  uint64_t y = generator() % 3 ? x : (~0ull << generator() % 64) + generator() % 3 - 1;
  return Int(generator() % 2 ? y : 0 - y);
}

TEST(DeviceFloatRounding, Add) {
  checkBinary<float>(FUNCTIONS(fadd), [](auto a, auto b) { return a + b; });
}
TEST(DeviceFloatRounding, Subtract) {
  checkBinary<float>(FUNCTIONS(fsub), [](auto a, auto b) { return a - b; });
}
TEST(DeviceFloatRounding, Multiply) {
  checkBinary<float>(FUNCTIONS(fmul), [](auto a, auto b) { return a * b; });
}
TEST(DeviceFloatRounding, Divide) {
  checkBinary<float>(FUNCTIONS(fdiv), [](auto a, auto b) { return a / b; });
}
TEST(DeviceFloatRounding, Reciprocal) {
  checkUnary<float>(FUNCTIONS(frcp), [](auto a) { return 1.0f / a; });
}
TEST(DeviceFloatRounding, SquareRoot) {
  checkUnary<float>(FUNCTIONS(fsqrt), [](float a) { return std::sqrt(a); });
}
TEST(DeviceFloatRounding, MultiplyAdd) {
  checkTernary<float>(FUNCTIONS(fmaf), [](float a, float b, float c) { return std::fma(a, b, c); });
}
TEST(DeviceDoubleRounding, Add) {
  checkBinary<double>(FUNCTIONS(dadd), [](auto a, auto b) { return a + b; });
}
TEST(DeviceDoubleRounding, Subtract) {
  checkBinary<double>(FUNCTIONS(dsub), [](auto a, auto b) { return a - b; });
}
TEST(DeviceDoubleRounding, Multiply) {
  checkBinary<double>(FUNCTIONS(dmul), [](auto a, auto b) { return a * b; });
}
TEST(DeviceDoubleRounding, Divide) {
  checkBinary<double>(FUNCTIONS(ddiv), [](auto a, auto b) { return a / b; });
}
TEST(DeviceDoubleRounding, Reciprocal) {
  checkUnary<double>(FUNCTIONS(drcp), [](auto a) { return 1.0 / a; });
}
TEST(DeviceDoubleRounding, SquareRoot) {
  checkUnary<double>(FUNCTIONS(dsqrt), [](double a) { return std::sqrt(a); });
}
TEST(DeviceDoubleRounding, MultiplyAdd) {
  checkTernary<double>(FUNCTIONS(fma),
                       [](double a, double b, double c) { return std::fma(a, b, c); });
}

TEST(DeviceConversionRounding, DoubleToFloat) {
  checkConversion<float, double>(FUNCTIONS(double2float), [] {
    return generator() % 2 ? hardNumber<double>() : double(hardNumber<float>()) * (1 + 0x1p-30);
  });
}
TEST(DeviceConversionRounding, IntegerToFloat) {
  checkConversion<float, int>(FUNCTIONS(int2float), hardInteger<int>);
  checkConversion<float, unsigned>(FUNCTIONS(uint2float), hardInteger<unsigned>);
  checkConversion<float, long long>(FUNCTIONS(ll2float), hardInteger<long long>);
}
TEST(DeviceConversionRounding, IntegerToDouble) {
  checkConversion<double, long long>(FUNCTIONS(ll2double), hardInteger<long long>);
}
// Compilers convert unsigned 64-bit integers in two steps, so the reference is long double, which
// holds them all.
TEST(DeviceConversionRounding, UnsignedLongToFloatingPoint) {
  float (*const to_float[3])(unsigned long long) = FUNCTIONS(ull2float);
  double (*const to_double[3])(unsigned long long) = FUNCTIONS(ull2double);
  for (int i = 0; i < 150000; ++i) {
    unsigned long long a = hardInteger<unsigned long long>();
    volatile long double exact = static_cast<long double>(a);
    for (int m = 0; m < 3; ++m) {
      ASSERT_EQ(to_float[m](a), roundedIn<float>(modes[m], [&] { return float(exact); })) << a;
      ASSERT_EQ(to_double[m](a), roundedIn<double>(modes[m], [&] { return double(exact); })) << a;
    }
  }
}

// All mantissas of two neighbouring exponents: 1/sqrt repeats with every second one.
TEST(DeviceFloatRounding, ReciprocalSquareRootToNearest) {
  for (uint32_t word = 0x3f800000; word < 0x40800000; word += 5) {
    float a = value<float>(word);
    ASSERT_EQ(__nv_frsqrt_rn(a), float(1.0L / sqrtl(a))) << a;
  }
  EXPECT_EQ(__nv_frsqrt_rn(0.0f), INFINITY);
  EXPECT_EQ(__nv_frsqrt_rn(-0.0f), -INFINITY);
  EXPECT_TRUE(std::isnan(__nv_frsqrt_rn(-1.0f)));
}

} // namespace
