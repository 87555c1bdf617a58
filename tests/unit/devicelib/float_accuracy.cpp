// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sweeps behind float_accuracy.h.
#include "float_accuracy.h"

#include <cstring>
#include <random>

namespace heddle::test {

namespace {

uint32_t bitsOf(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof x);
  return bits;
}
float floatOf(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

// Numbers the floats in their order, both zeros being 0.
int64_t ordinal(float x) {
  uint32_t bits = bitsOf(x);
  return bits >> 31 ? -int64_t(bits & 0x7fffffff) : int64_t(bits);
}
float fromOrdinal(int64_t n) {
  return n < 0 ? floatOf(uint32_t(-n) | 0x80000000u) : floatOf(uint32_t(n));
}

// Remembers the worst argument and says so at the end of its life.
class Worst {
public:
  Worst(const char *name, const char *unit) : name(name), unit(unit) {}
  ~Worst() {
    EXPECT_LE(excess, 0) << name << " is wrong by " << error << unit << std::hexfloat << " at "
                         << argument << ", " << argument2 << ": is " << actual << ", not "
                         << expected;
    ::testing::Test::RecordProperty(name, std::to_string(error));
  }
  void add(double new_error, double bound, float x, float y, float is, double should_be) {
    if (new_error > error)
      error = new_error;
    if (new_error - bound <= excess)
      return;
    excess = new_error - bound;
    argument = x;
    argument2 = y;
    actual = is;
    expected = should_be;
  }

private:
  std::string name, unit;
  double error = 0, excess = 0, expected = 0;
  float argument = 0, argument2 = 0, actual = 0;
};

constexpr int samples = 400000;

// Steps through the floats from low to high; the odd stride meets every last digit.
template <typename Visit> void sweep(float low, float high, Visit visit) {
  int64_t first = ordinal(low), last = ordinal(high);
  int64_t stride = (last - first) / samples | 1;
  for (int64_t n = first; n < last; n += stride)
    visit(fromOrdinal(n));
  visit(high);
}

} // namespace

uint32_t distance(float x, float y) {
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) && std::isnan(y) ? 0 : ~0u;
  if (std::signbit(x) != std::signbit(y) && (x == 0) == (y == 0))
    return ~0u;
  return uint32_t(std::llabs(ordinal(x) - ordinal(y)));
}

void expectUlpBound(const char *name, Function function, Reference reference,
                    std::function<double(float)> bound, float low, float high) {
  Worst worst(name, " ulp");
  auto check = [&](float x) {
    float actual = function(x);
    double expected = reference(x);
    worst.add(distance(actual, float(expected)), bound(x), x, 0, actual, expected);
  };
  sweep(low, high, check);
}

void expectUlp(const char *name, Function function, Reference reference, double bound, float low,
               float high) {
  expectUlpBound(name, function, reference, [=](float) { return bound; }, low, high);
}

void expectUlp(const char *name, Function function, Reference reference, double bound) {
  expectUlp(name, function, reference, bound, -INFINITY, INFINITY);
  for (float x : {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, NAN, 0x1p-149f, -0x1p-149f, 0x1p-126f,
                  -0x1p-126f, std::numeric_limits<float>::max(), 2.0f, -2.0f, 3.0f})
    EXPECT_LE(distance(function(x), float(reference(x))), bound)
        << name << "(" << x << ") is " << function(x) << ", not " << reference(x);
}

void expectAbsolute(const char *name, Function function, Reference reference, double bound,
                    float low, float high) {
  Worst worst(name, "");
  sweep(low, high, [&](float x) {
    float actual = function(x);
    double expected = reference(x);
    double error = std::fabs(actual - expected);
    worst.add(std::isnan(error) ? INFINITY : error, bound, x, 0, actual, expected);
  });
}

void expectUlp2(const char *name, Function2 function, Reference2 reference, double bound) {
  Worst worst(name, " ulp");
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<float> moderate(-30, 30);
  auto check = [&](float x, float y) {
    float actual = function(x, y);
    double expected = reference(x, y);
    worst.add(distance(actual, float(expected)), bound, x, y, actual, expected);
  };
  for (int i = 0; i < samples; ++i) {
    uint64_t random = generator();
    check(floatOf(uint32_t(random)), floatOf(uint32_t(random >> 32)));
    float x = moderate(generator), y = moderate(generator);
    check(std::fabs(x), y);
    check(x, y);
  }
}

} // namespace heddle::test
