// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf in kernels: the same text as the host's printf gives, from arguments packed in memory.
#include "engine/print.h"

#include <climits>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

using namespace heddle::engine;

namespace {

// Packs arguments as Clang does for a device vprintf: each aligned to its size.
class Packed {
public:
  template <typename... T> explicit Packed(T... values) { (add(values), ...); }
  const void *data() const { return bytes_.data(); }

private:
  template <typename T> void add(T value) {
    bytes_.resize((bytes_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    const char *start = reinterpret_cast<const char *>(&value);
    bytes_.insert(bytes_.end(), start, start + sizeof value);
  }
  std::vector<char> bytes_;
};

template <typename... T> std::string device(const char *format, T... values) {
  return formatDevice(format, Packed(values...).data());
}

template <typename... T> std::string host(const char *format, T... values) {
  char text[2000];
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"
  const int length = std::snprintf(text, sizeof text, format, values...);
#pragma clang diagnostic pop
  return std::string(text, size_t(length));
}

template <typename... T> void expectAsOnHost(const char *format, T... values) {
  EXPECT_EQ(device(format, values...), host(format, values...)) << format;
}

TEST(Print, TextWithoutConversions) {
  EXPECT_EQ(device("plain text\n", 0), "plain text\n");
  EXPECT_EQ(device("", 0), "");
  EXPECT_EQ(device("50%% of %d%%", 7), "50% of 7%");
}

TEST(Print, IntegersOfEveryConversion) {
  for (const char *format : {"%d", "%i", "%u", "%o", "%x", "%X", "%8d", "%-8d|", "%08d", "%+d",
                             "% d", "%#x", "%#o", "%.5d", "%10.4x", "%hd", "%hhd", "%hu", "%hhx"})
    for (int value : {0, 1, -1, 42, 65537, -129, INT_MAX, INT_MIN})
      expectAsOnHost(format, value);
}

TEST(Print, LongIntegers) {
  for (const char *format : {"%ld", "%lld", "%lu", "%llu", "%lx", "%llX", "%lo", "%zu", "%zd",
                             "%jd", "%td", "%20lld", "%-20lld|", "%#llx"})
    for (long long value : {0ll, -1ll, 1ll << 40, LLONG_MIN, LLONG_MAX})
      expectAsOnHost(format, value);
}

TEST(Print, FloatingPoint) {
  for (const char *format : {"%e", "%E", "%f", "%F", "%g", "%G", "%a", "%A", "%.3f", "%10.2f",
                             "%-12.4e|", "%+g", "%#g", "%.0f", "%012.3f", "%.15g", "%lf"})
    for (double value : {0.0, -0.0, 1.0, -2.5, 1e300, 1e-300, 3.14159265358979, double(INFINITY),
                         -double(INFINITY), double(NAN)})
      expectAsOnHost(format, value);
}

TEST(Print, CharactersPointersAndStrings) {
  expectAsOnHost("%c%c", int('A'), int('z'));
  expectAsOnHost("[%5c|%-5c]", int('x'), int('y'));
  expectAsOnHost("%p", reinterpret_cast<void *>(0x12345678));
  expectAsOnHost("%s and %s", "one", "two");
  expectAsOnHost("[%10s|%-10s|%.2s]", "right", "left", "cut");
}

TEST(Print, NullStringsHaveAWord) {
  EXPECT_EQ(device("%s", static_cast<const char *>(nullptr)), "(null)");
  EXPECT_EQ(device("[%8s]", static_cast<const char *>(nullptr)), "[  (null)]");
}

TEST(Print, WidthAndPrecisionFromArguments) {
  expectAsOnHost("[%*d]", 8, 42);
  expectAsOnHost("[%-*d]", 8, 42);
  expectAsOnHost("[%*d]", -8, 42); // a negative width is a minus flag
  expectAsOnHost("[%.*f]", 2, 3.14159);
  expectAsOnHost("[%*.*f]", 10, 3, 3.14159);
  expectAsOnHost("[%.*s]", 3, "abcdef");
  expectAsOnHost("[%*.*lld]", 12, 5, 99ll);
}

TEST(Print, ArgumentsAreAlignedToTheirSize) {
  expectAsOnHost("%d %f %d %lld %c %s %d", 1, 2.5, 3, 4ll, int('c'), "str", 7);
  expectAsOnHost("%c %lld %c %f", int('a'), 1ll << 50, int('b'), 0.125);
}

TEST(Print, LongResultsAreWhole) {
  const std::string long_text(1500, 'x');
  expectAsOnHost("<%s>", long_text.c_str());
  expectAsOnHost("%900d", 5);
  expectAsOnHost("%.300f", 1.0 / 3);
}

// CUDA guide, "Format Specifiers": what it does not know, it prints as it stands.
TEST(Print, UnknownConversionsStayAsTheyAre) {
  EXPECT_EQ(device("%k", 0), "%k");
  EXPECT_EQ(device("%5y|%d", 3), "%5y|3");
  EXPECT_EQ(device("%lk", 0), "%lk");
  EXPECT_EQ(device("%n%d", 3), "%n3");
}

TEST(Print, AConversionThatIsCutOffEndsTheText) {
  EXPECT_EQ(device("100%", 0), "100%");
  EXPECT_EQ(device("a%-5", 0), "a%-5");
  EXPECT_EQ(device("a%ll", 0), "a%ll");
}

// Neither reads beyond the arguments nor crashes.
TEST(Print, TooManyStarsAreNotAConversion) { EXPECT_EQ(device("%***d|", 1, 2, 3, 4), "%***d|"); }

class Collect : public PrintSink {
public:
  void write(std::string_view text) override { texts.emplace_back(text); }
  std::vector<std::string> texts;
};

TEST(Print, ReturnsTheNumberOfArguments) {
  Collect sink;
  const Packed arguments(1, 2.0, "three");
  EXPECT_EQ(formatAndPrint(sink, "%d %f %s\n", arguments.data()), 3);
  EXPECT_EQ(formatAndPrint(sink, "nothing %%\n", nullptr), 0);
  EXPECT_EQ(formatAndPrint(sink, "%*d\n", Packed(5, 1).data()), 2);
  EXPECT_EQ(formatAndPrint(sink, nullptr, nullptr), -1);
  EXPECT_EQ(sink.texts, (std::vector<std::string>{"1 2.000000 three\n", "nothing %\n", "    1\n"}));
}

} // namespace
