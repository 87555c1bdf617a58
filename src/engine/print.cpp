// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/print.h"

#include <cstdio>
#include <cstring>

namespace heddle::engine {
namespace {

// Reads packed arguments one after another.
class Arguments {
public:
  explicit Arguments(const void *buffer) : start_(static_cast<const char *>(buffer)) {}

  template <typename T> T next() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, start_ + offset_, sizeof(T));
    offset_ += sizeof(T);
    ++count_;
    return value;
  }
  int32_t count() const { return count_; }

private:
  const char *start_;
  size_t offset_ = 0;
  int32_t count_ = 0;
};

// One conversion specification: "%-8.3lld" is specification with long_count 2 and conversion 'd'.
struct Conversion {
  std::string_view text;     // all of it, as it stands in the format
  std::string specification; // up to, not including, length and conversion
  int long_count = 0;
  int stars = 0;
  int half_count = 0;
  char conversion = 0; // none if the format ends too early
};

// Reads the specification after the '%' at `at`; leaves `at` behind it.
Conversion parseConversion(const char *&at) {
  Conversion result;
  const char *start = at;
  result.specification = "%";
  for (++at; *at; ++at) {
    if (std::strchr("-+ #0123456789.", *at))
      result.specification += *at;
    else if (*at == '*') {
      result.specification += '*';
      ++result.stars;
    } else if (*at == 'l' || *at == 'j' || *at == 'z' || *at == 't')
      result.long_count += *at == 'l' ? 1 : 2;
    else if (*at == 'h')
      ++result.half_count;
    else if (*at != 'L') {
      result.conversion = *at++;
      break;
    }
  }
  result.text = std::string_view(start, size_t(at - start));
  return result;
}

template <typename T>
void append(std::string &text, const std::string &specification, const int *stars, int star_count,
            T value) {
  char small[256];
  auto print = [&](char *buffer, size_t size) {
    const char *format = specification.c_str();
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    if (star_count == 2)
      return std::snprintf(buffer, size, format, stars[0], stars[1], value);
    if (star_count == 1)
      return std::snprintf(buffer, size, format, stars[0], value);
    return std::snprintf(buffer, size, format, value);
#pragma GCC diagnostic pop
  };
  const int length = print(small, sizeof small);
  if (length < 0)
    return;
  if (size_t(length) < sizeof small) {
    text.append(small, size_t(length));
    return;
  }
  std::string large(size_t(length) + 1, '\0');
  print(large.data(), large.size());
  text.append(large.data(), size_t(length));
}

void appendConversion(std::string &text, const Conversion &conversion, Arguments &arguments) {
  // CUDA prints what it does not know as it stands.
  if (!conversion.conversion || !std::strchr("diuoxXceEfFgGaAps", conversion.conversion) ||
      conversion.stars > 2) {
    text += conversion.text;
    return;
  }
  int stars[2] = {0, 0};
  const int star_count = conversion.stars;
  for (int i = 0; i < star_count; ++i)
    stars[i] = arguments.next<int>();
  const std::string &start = conversion.specification;
  const std::string end(1, conversion.conversion);
  const std::string half(size_t(std::min(conversion.half_count, 2)), 'h');
  switch (conversion.conversion) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X':
    // int and long differ in size on the device as on a 64-bit Linux host.
    if (conversion.long_count)
      append(text, start + "ll" + end, stars, star_count, arguments.next<long long>());
    else
      append(text, start + half + end, stars, star_count, arguments.next<int>());
    break;
  case 'c':
    append(text, start + end, stars, star_count, arguments.next<int>());
    break;
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    append(text, start + end, stars, star_count, arguments.next<double>());
    break;
  case 'p':
    append(text, start + end, stars, star_count, arguments.next<void *>());
    break;
  case 's': {
    const char *string = arguments.next<const char *>();
    append(text, start + end, stars, star_count, string ? string : "(null)");
    break;
  }
  }
}

int32_t format(std::string &text, const char *format, const void *buffer) {
  Arguments arguments(buffer);
  for (const char *at = format; *at;) {
    if (*at != '%') {
      const char *end = std::strchr(at, '%');
      const size_t length = end ? size_t(end - at) : std::strlen(at);
      text.append(at, length);
      at += length;
    } else if (at[1] == '%') {
      text += '%';
      at += 2;
    } else {
      appendConversion(text, parseConversion(at), arguments);
    }
  }
  return arguments.count();
}

} // namespace

std::string formatDevice(const char *format_string, const void *arguments) {
  std::string text;
  format(text, format_string, arguments);
  return text;
}

int32_t formatAndPrint(PrintSink &sink, const char *format_string, const void *arguments) {
  if (!format_string)
    return -1;
  // A fault in here (a wild %s) leaves the kernel by longjmp, so the text must outlive the call.
  static thread_local std::string text;
  text.clear();
  const int32_t count = format(text, format_string, arguments);
  sink.write(text);
  return count;
}

} // namespace heddle::engine
