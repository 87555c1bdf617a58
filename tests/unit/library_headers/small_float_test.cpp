// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __half and __nv_bfloat16 against a reference that knows only the list of all their values: a
// result must be the value next to the exact one, as the rounding mode says.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace {

typedef __float128 Exact; // sums and products of the values tested are exact in it

struct HalfTraits {
  typedef __half T;
  typedef __half2 T2;
  static constexpr int exponent_bits = 5, mantissa_bits = 10;
  static T fromBits(unsigned bits) { return __ushort_as_half(static_cast<unsigned short>(bits)); }
  static unsigned bits(T h) { return __half_as_ushort(h); }
  static float widen(T h) { return __half2float(h); }
  static T round(float f, int mode) {
    return mode == 0   ? __float2half_rn(f)
           : mode == 1 ? __float2half_rz(f)
           : mode == 2 ? __float2half_rd(f)
                       : __float2half_ru(f);
  }
  static T roundDouble(double d) { return __double2half(d); }
  static T fromInt(long long i, int mode) {
    return mode == 0   ? __ll2half_rn(i)
           : mode == 1 ? __ll2half_rz(i)
           : mode == 2 ? __ll2half_rd(i)
                       : __ll2half_ru(i);
  }
  static int toInt(T h, int mode) {
    return mode == 0   ? __half2int_rn(h)
           : mode == 1 ? __half2int_rz(h)
           : mode == 2 ? __half2int_rd(h)
                       : __half2int_ru(h);
  }
  static unsigned short toUshort(T h) { return __half2ushort_rz(h); }
  static unsigned long long toUll(T h) { return __half2ull_rz(h); }
  static long long toLl(T h) { return __half2ll_rz(h); }
  static T2 pair(T a, T b) { return __halves2half2(a, b); }
};

struct BfloatTraits {
  typedef __nv_bfloat16 T;
  typedef __nv_bfloat162 T2;
  static constexpr int exponent_bits = 8, mantissa_bits = 7;
  static T fromBits(unsigned bits) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
  }
  static unsigned bits(T h) { return __bfloat16_as_ushort(h); }
  static float widen(T h) { return __bfloat162float(h); }
  static T round(float f, int mode) {
    return mode == 0   ? __float2bfloat16_rn(f)
           : mode == 1 ? __float2bfloat16_rz(f)
           : mode == 2 ? __float2bfloat16_rd(f)
                       : __float2bfloat16_ru(f);
  }
  static T roundDouble(double d) { return __double2bfloat16(d); }
  static T fromInt(long long i, int mode) {
    return mode == 0   ? __ll2bfloat16_rn(i)
           : mode == 1 ? __ll2bfloat16_rz(i)
           : mode == 2 ? __ll2bfloat16_rd(i)
                       : __ll2bfloat16_ru(i);
  }
  static int toInt(T h, int mode) {
    return mode == 0   ? __bfloat162int_rn(h)
           : mode == 1 ? __bfloat162int_rz(h)
           : mode == 2 ? __bfloat162int_rd(h)
                       : __bfloat162int_ru(h);
  }
  static unsigned short toUshort(T h) { return __bfloat162ushort_rz(h); }
  static unsigned long long toUll(T h) { return __bfloat162ull_rz(h); }
  static long long toLl(T h) { return __bfloat162ll_rz(h); }
  static T2 pair(T a, T b) { return __halves2bfloat162(a, b); }
};

template <typename Traits> class SmallFloat : public testing::Test {
protected:
  typedef typename Traits::T T;
  typedef typename Traits::T2 T2;
  static constexpr unsigned sign = 0x8000, nan = 0x7fff;
  static constexpr unsigned infinity = ((1u << Traits::exponent_bits) - 1) << Traits::mantissa_bits;

  /// The value that a bit pattern means, by IEEE 754's definition.
  static double decode(unsigned bits) {
    const int bias = (1 << (Traits::exponent_bits - 1)) - 1;
    const int exponent = (bits & 0x7fff) >> Traits::mantissa_bits;
    const int fraction = bits & ((1 << Traits::mantissa_bits) - 1);
    const double s = bits & sign ? -1.0 : 1.0;
    if (exponent == (1 << Traits::exponent_bits) - 1)
      return fraction ? std::nan("") : s * INFINITY;
    const int hidden = exponent ? 1 << Traits::mantissa_bits : 0;
    return s * std::ldexp(hidden + fraction, std::max(exponent, 1) - bias - Traits::mantissa_bits);
  }

  /// The bits of an exact value (double or Exact) rounded: to nearest even (0), toward zero (1),
  /// down (2), up (3). `negative_zero` is the sign that a zero has.
  template <typename Number>
  static unsigned reference(Number value, int mode, bool negative_zero = false) {
    static const std::vector<double> values = [] { // all positive ones in order, and one beyond
      std::vector<double> list;
      for (unsigned bits = 0; bits < infinity; ++bits)
        list.push_back(decode(bits));
      list.push_back(2 * list.back() - list[list.size() - 2]);
      return list;
    }();
    if (value != value)
      return nan;
    const bool negative = value < 0 || (value == 0 && negative_zero);
    const Number magnitude = negative ? -value : value;
    if (magnitude > Number(std::numeric_limits<double>::max()))
      return (negative ? sign : 0) | infinity;
    unsigned below =
        static_cast<unsigned>(std::upper_bound(values.begin(), values.end(), magnitude,
                                               [](Number a, double b) { return a < Number(b); }) -
                              values.begin() - 1);
    const bool away_mode = mode == (negative ? 2 : 3);
    bool away = false;
    if (below >= infinity) {
      below = infinity - 1;
      away = mode == 0 || away_mode;
    } else {
      const Number low = magnitude - Number(values[below]),
                   high = Number(values[below + 1]) - magnitude;
      away = mode == 0 ? high < low || (high == low && below % 2 == 1) : away_mode && low > 0;
    }
    return (negative ? sign : 0) | (below + away);
  }

  static std::vector<unsigned> interesting() {
    std::vector<unsigned> list;
    const unsigned one = ((1u << (Traits::exponent_bits - 1)) - 1) << Traits::mantissa_bits;
    for (unsigned bits :
         {0u, 1u, 2u, 3u, (1u << Traits::mantissa_bits) - 1, 1u << Traits::mantissa_bits, one - 1,
          one, one + 1, one + 2, one + 5, one + (1u << (Traits::mantissa_bits - 1)),
          one + (1u << Traits::mantissa_bits), infinity - 2, infinity - 1, infinity, nan}) {
      list.push_back(bits);
      list.push_back(bits | sign);
    }
    return list;
  }

  typedef std::function<void(unsigned, unsigned)> Check;
  /// Every value with every interesting one, and many random pairs.
  static void forPairs(const Check &check) {
    for (unsigned a = 0; a < 0x10000; ++a)
      for (unsigned b : interesting()) {
        check(a, b);
        if (testing::Test::HasFailure())
          return;
      }
    std::mt19937 random(1);
    for (int i = 0; i < 200000 && !testing::Test::HasFailure(); ++i)
      check(random() & 0xffff, random() & 0xffff);
  }
};

typedef testing::Types<HalfTraits, BfloatTraits> Formats;
TYPED_TEST_SUITE(SmallFloat, Formats);

#define USE_FIXTURE                                                                                \
  typedef typename TestFixture::T T;                                                               \
  const auto make = [](unsigned bits) -> T { return TypeParam::fromBits(bits); };                  \
  const auto bits = [](T h) -> unsigned { return TypeParam::bits(h); };                            \
  const auto decode = [](unsigned b) -> double { return TestFixture::decode(b); };                 \
  (void)make;                                                                                      \
  (void)bits;                                                                                      \
  (void)decode

TYPED_TEST(SmallFloat, everyValueWidensAndComesBack) {
  USE_FIXTURE;
  for (unsigned b = 0; b < 0x10000; ++b) {
    const double want = decode(b);
    const float got = TypeParam::widen(make(b));
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(got)) << b;
      ASSERT_EQ(bits(TypeParam::round(got, 0)), TestFixture::nan);
      continue;
    }
    ASSERT_EQ(got, want) << b;
    ASSERT_EQ(std::signbit(got), std::signbit(want)) << b;
    for (int mode = 0; mode < 4; ++mode)
      ASSERT_EQ(bits(TypeParam::round(got, mode)), b) << mode;
    ASSERT_EQ(bits(TypeParam::roundDouble(got)), b);
  }
}

TYPED_TEST(SmallFloat, floatsRound) {
  USE_FIXTURE;
  const auto check = [&](float f) {
    for (int mode = 0; mode < 4; ++mode)
      ASSERT_EQ(bits(TypeParam::round(f, mode)),
                TestFixture::reference(double(f), mode, std::signbit(f)))
          << std::hexfloat << f << " mode " << mode;
  };
  for (unsigned high = 0; high < 0x10000; ++high)
    for (unsigned low :
         {0u, 1u, 0x0fffu, 0x1000u, 0x1001u, 0x1fffu, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      const unsigned pattern = high << 16 | low;
      float f;
      memcpy(&f, &pattern, sizeof f);
      check(f);
      if (this->HasFailure())
        return;
    }
}

TYPED_TEST(SmallFloat, doublesRoundOnce) {
  USE_FIXTURE;
  for (unsigned b = 0; b < TestFixture::infinity; ++b) {
    const double middle =
        (decode(b) +
         (b + 1 == TestFixture::infinity ? 2 * decode(b) - decode(b - 1) : decode(b + 1))) /
        2;
    for (double d : {middle, std::nextafter(middle, 0.0), std::nextafter(middle, INFINITY)})
      for (double s : {d, -d})
        ASSERT_EQ(bits(TypeParam::roundDouble(s)), TestFixture::reference(s, 0))
            << std::hexfloat << s;
  }
  EXPECT_EQ(bits(TypeParam::roundDouble(5e-324)), 0u);
  EXPECT_EQ(bits(TypeParam::roundDouble(-1e308)), TestFixture::infinity | TestFixture::sign);
}

TYPED_TEST(SmallFloat, integers) {
  USE_FIXTURE;
  std::vector<long long> list = {0,
                                 1,
                                 -1,
                                 2047,
                                 2049,
                                 65503,
                                 65504,
                                 65519,
                                 65520,
                                 -65520,
                                 70000,
                                 std::numeric_limits<long long>::max(),
                                 std::numeric_limits<long long>::min()};
  for (int shift = 8; shift < 63; ++shift)
    for (long long delta : {-1LL, 0LL, 1LL})
      for (long long m : {255LL, 257LL, 2047LL, 4097LL})
        if (shift < 50)
          list.push_back((m << shift) + delta);
  for (long long i : list)
    for (int mode = 0; mode < 4; ++mode)
      ASSERT_EQ(bits(TypeParam::fromInt(i, mode)), TestFixture::reference(Exact(i), mode))
          << i << " " << mode;

  for (unsigned b = 0; b < 0x10000; ++b) {
    const double v = decode(b);
    const double rounded[] = {std::nearbyint(v), std::trunc(v), std::floor(v), std::ceil(v)};
    for (int mode = 0; mode < 4; ++mode) {
      const double r = std::clamp(rounded[mode], -2147483648.0, 2147483647.0);
      ASSERT_EQ(TypeParam::toInt(make(b), mode), std::isnan(v) ? 0 : static_cast<int>(r)) << v;
    }
    ASSERT_EQ(TypeParam::toUshort(make(b)),
              std::isnan(v) ? 0 : static_cast<int>(std::clamp(rounded[1], 0.0, 65535.0)));
    if (std::isnan(v)) {
      ASSERT_EQ(TypeParam::toUll(make(b)), 1ull << 63);
    } else if (v >= 18446744073709551616.0) {
      ASSERT_EQ(TypeParam::toUll(make(b)), ~0ull);
    } else {
      ASSERT_EQ(TypeParam::toUll(make(b)), v < 0 ? 0 : static_cast<unsigned long long>(v));
    }
    if (v < -9223372036854775808.0)
      ASSERT_EQ(TypeParam::toLl(make(b)), std::numeric_limits<long long>::min());
  }
}

TYPED_TEST(SmallFloat, arithmeticIsCorrectlyRounded) {
  USE_FIXTURE;
  this->forPairs([&](unsigned a, unsigned b) {
    const double x = decode(a), y = decode(b);
    const auto same = [&](T got, double want, const char *what) {
      // double has more than twice the bits, plus two: rounding to it first does no harm
      ASSERT_EQ(bits(got), TestFixture::reference(want, 0, std::signbit(want))) << x << what << y;
    };
    same(__hadd(make(a), make(b)), x + y, " + ");
    same(__hsub(make(a), make(b)), x - y, " - ");
    same(__hmul(make(a), make(b)), x * y, " * ");
    same(__hdiv(make(a), make(b)), x / y, " / ");
    const double sum = decode(TestFixture::reference(x + y, 0));
    const double saturated = std::isnan(sum) ? 0 : std::clamp(sum, 0.0, 1.0);
    same(__hadd_sat(make(a), make(b)), saturated == 0 ? 0.0 : saturated, " +sat ");
  });
}

TYPED_TEST(SmallFloat, fusedMultiplyAddRoundsOnce) {
  USE_FIXTURE;
  std::mt19937 random(2);
  const unsigned exponents = 1u << TypeParam::exponent_bits;
  for (int i = 0; i < 1000000; ++i) {
    // Exponents near each other and near one, where a sum is exact in Exact and may be a tie.
    unsigned operand[3];
    for (unsigned &o : operand) {
      const unsigned exponent = exponents / 2 - 9 + random() % 16;
      o = (random() & 0x8000) | exponent << TypeParam::mantissa_bits |
          (random() & ((1u << TypeParam::mantissa_bits) - 1) & (random() % 2 ? ~0u : ~7u));
      if (random() % 16 == 0)
        o = TypeParam::exponent_bits == 5 ? random() & 0x83ff : o; // subnormal
    }
    const Exact exact =
        Exact(decode(operand[0])) * Exact(decode(operand[1])) + Exact(decode(operand[2]));
    if (exact == 0)
      continue;
    ASSERT_EQ(bits(__hfma(make(operand[0]), make(operand[1]), make(operand[2]))),
              TestFixture::reference(exact, 0))
        << decode(operand[0]) << " * " << decode(operand[1]) << " + " << decode(operand[2]);
  }
  // A product that is a tie, and an addend too small for float to see.
  const unsigned one = bits(TypeParam::round(1.0f, 0));
  const T tie = make(one + 1), three_halves = TypeParam::round(1.5f, 0);
  const unsigned above = bits(__hfma(tie, three_halves, make(1)));
  const unsigned below = bits(__hfma(tie, three_halves, make(0x8001)));
  EXPECT_EQ(above, below + 1);
  // A product below every value of the format.
  EXPECT_EQ(bits(__hfma(make(1), make(0x8001), make(0x8000))), 0x8000u);
  EXPECT_EQ(bits(__hfma(make(1), make(0x8001), make(1))), 1u);
  const double inf = INFINITY;
  EXPECT_EQ(bits(__hfma(TypeParam::round(inf, 0), make(one), make(one))), TestFixture::infinity);
  EXPECT_EQ(bits(__hfma(TypeParam::round(inf, 0), make(0), make(one))), TestFixture::nan);
  EXPECT_EQ(bits(__hfma_relu(make(one), make(one | 0x8000), make(0))), 0u);
}

TYPED_TEST(SmallFloat, comparisonsMaximumAndMinimum) {
  USE_FIXTURE;
  this->forPairs([&](unsigned a, unsigned b) {
    const double x = decode(a), y = decode(b);
    const bool unordered = std::isnan(x) || std::isnan(y);
    const T l = make(a), r = make(b);
    ASSERT_EQ(__heq(l, r), x == y);
    ASSERT_EQ(__hne(l, r), !unordered && x != y);
    ASSERT_EQ(__hlt(l, r), x < y);
    ASSERT_EQ(__hle(l, r), x <= y);
    ASSERT_EQ(__hgt(l, r), x > y);
    ASSERT_EQ(__hge(l, r), x >= y);
    ASSERT_EQ(__hequ(l, r), unordered || x == y);
    ASSERT_EQ(__hneu(l, r), unordered || x != y);
    ASSERT_EQ(__hltu(l, r), unordered || x < y);
    ASSERT_EQ(__hleu(l, r), unordered || x <= y);
    ASSERT_EQ(__hgtu(l, r), unordered || x > y);
    ASSERT_EQ(__hgeu(l, r), unordered || x >= y);
    if (std::isnan(x) && std::isnan(y)) {
      ASSERT_EQ(bits(__hmax(l, r)), TestFixture::nan);
    } else if (unordered) {
      ASSERT_EQ(bits(__hmax(l, r)), std::isnan(x) ? b : a);
      ASSERT_EQ(bits(__hmin(l, r)), std::isnan(x) ? b : a);
      ASSERT_EQ(bits(__hmax_nan(l, r)), TestFixture::nan);
    } else if (x != y) {
      ASSERT_EQ(bits(__hmax(l, r)), x > y ? a : b);
      ASSERT_EQ(bits(__hmin_nan(l, r)), x < y ? a : b);
    } else {
      ASSERT_EQ(bits(__hmax(l, r)), a & b); // of zeros, +0
      ASSERT_EQ(bits(__hmin(l, r)), a | b);
    }
  });
}

TYPED_TEST(SmallFloat, functionsOfEveryValue) {
  USE_FIXTURE;
  for (unsigned b = 0; b < 0x10000; ++b) {
    const double v = decode(b);
    const T h = make(b);
    const auto same = [&](T got, double want, const char *what) {
      ASSERT_EQ(bits(got), TestFixture::reference(want, 0, std::signbit(want))) << what << v;
    };
    same(hsqrt(h), std::sqrt(v), "sqrt ");
    same(hrcp(h), 1 / v, "rcp ");
    same(hrint(h), std::nearbyint(v), "rint ");
    same(hfloor(h), std::floor(v), "floor ");
    same(hceil(h), std::ceil(v), "ceil ");
    same(htrunc(h), std::trunc(v), "trunc ");
    ASSERT_EQ(bits(__hneg(h)), std::isnan(v) ? TestFixture::nan : b ^ 0x8000);
    ASSERT_EQ(bits(__habs(h)), std::isnan(v) ? TestFixture::nan : b & 0x7fff);
    ASSERT_EQ(__hisnan(h), std::isnan(v));
    ASSERT_EQ(__hisinf(h), std::isinf(v) ? (v > 0 ? 1 : -1) : 0);
    // The others may be off by one in the last place, as a GPU's may be.
    const auto near = [&](T got, double want, const char *what) {
      const unsigned r = TestFixture::reference(want, 0, std::signbit(want));
      const int distance = static_cast<int>(bits(got)) - static_cast<int>(r);
      ASSERT_LE(std::abs(distance), 1) << what << v;
    };
    near(hexp(h), std::exp(v), "exp ");
    near(hexp2(h), std::exp2(v), "exp2 ");
    near(hexp10(h), std::pow(10, v), "exp10 ");
    near(hlog(h), std::log(v), "log ");
    near(hlog2(h), std::log2(v), "log2 ");
    near(hlog10(h), std::log10(v), "log10 ");
    near(hsin(h), std::sin(v), "sin ");
    near(hcos(h), std::cos(v), "cos ");
    near(htanh(h), std::tanh(v), "tanh ");
    near(hrsqrt(h), 1 / std::sqrt(v), "rsqrt ");
    if (this->HasFailure())
      return;
  }
}

TYPED_TEST(SmallFloat, pairsWorkByElement) {
  USE_FIXTURE;
  typedef typename TestFixture::T2 T2;
  const T one = TypeParam::round(1, 0), two = TypeParam::round(2, 0),
          three = TypeParam::round(3, 0);
  const T2 a = TypeParam::pair(one, two), b = TypeParam::pair(two, three);
  EXPECT_EQ(__low2float(__hadd2(a, b)), 3);
  EXPECT_EQ(__high2float(__hadd2(a, b)), 5);
  EXPECT_EQ(__high2float(__hfma2(a, b, b)), 9);
  EXPECT_EQ(__low2float(__hsub2(a, b)), -1);
  EXPECT_EQ(__high2float(__h2div(b, a)), 1.5f);
  EXPECT_EQ(__low2float(__lowhigh2highlow(a)), 2);
  EXPECT_EQ(__hgt2_mask(TypeParam::pair(three, one), b), 0x0000ffffu);
  EXPECT_EQ(__hlt2_mask(a, b), 0xffffffffu);
  EXPECT_EQ(__high2float(__heq2(a, TypeParam::pair(two, two))), 1);
  EXPECT_TRUE(__hblt2(a, b));
  EXPECT_FALSE(__hbgt2(TypeParam::pair(three, one), b));
  // (1 + 2i) (2 + 3i) + (1 + 2i)
  EXPECT_EQ(__low2float(__hcmadd(a, b, a)), -3);
  EXPECT_EQ(__high2float(__hcmadd(a, b, a)), 9);
  static_assert(sizeof(T2) == 4 && alignof(T2) == 4 && sizeof(T) == 2, "as on a GPU");
}

TYPED_TEST(SmallFloat, operatorsAndConversions) {
  USE_FIXTURE;
  T h = 1.5f;
  h += T(2);
  h = h * T(2.0) - T(1ll);
  EXPECT_EQ(static_cast<float>(h), 6.0f);
  EXPECT_EQ(static_cast<int>(h), 6);
  EXPECT_EQ(static_cast<float>(h++), 6.0f);
  EXPECT_EQ(static_cast<float>(--h), 6.0f);
  EXPECT_TRUE(h > T(5) && h != T(5) && -h < T(0));
  EXPECT_TRUE(static_cast<bool>(h));
  EXPECT_FALSE(static_cast<bool>(make(0x8000)));
  const T not_a_number = make(TestFixture::nan);
  EXPECT_TRUE(not_a_number != not_a_number);
  typename TestFixture::T2 pair = TypeParam::pair(h, T(1));
  pair *= pair;
  EXPECT_EQ(__low2float(pair), 36);
}

} // namespace
