// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results of NVIDIA's library on a real GPU, and how a library's own are compared with them. A
// program adds its cases, then calls finish(): with the argument `record` it prints the file
// recorded/….inc that holds them.
#pragma once

#include "../check.h"

#include <algorithm>
#include <complex>
#include <string>
#include <vector>

namespace recorded {

using Number = std::complex<double>;

struct Recorded {
  const char *name;
  std::vector<double> numbers; // real and imaginary parts in turn; only real ones if all are real
};

struct Case {
  std::string name;
  std::vector<Number> actual, expected; // expected: exact, or empty if only the GPU knows
  double epsilon;                       // of the type; an integer's: what results may differ by
};

inline std::vector<Case> &cases() {
  static std::vector<Case> all;
  return all;
}

inline double distance(const std::vector<Number> &a, const std::vector<Number> &b) {
  double worst = a.size() == b.size() ? 0 : 1e300;
  for (size_t k = 0; worst < 1e300 && k < a.size(); ++k) {
    const double d = std::abs(a[k] - b[k]);
    worst = d <= worst ? worst : std::isnan(d) ? 1e300 : d;
  }
  return worst;
}

inline double largest(const std::vector<Number> &values) {
  double result = 0;
  for (const Number v : values)
    result = std::max(result, std::abs(v));
  return result;
}

inline void print(double v) {
  std::printf(v == std::floor(v) && std::fabs(v) < 1e6 ? "%.0f, " : "%a, ", v);
}

inline void print() {
  for (const Case &c : cases()) {
    std::printf("{\"%s\", {", c.name.c_str());
    const bool real =
        std::all_of(c.actual.begin(), c.actual.end(), [](Number v) { return v.imag() == 0; });
    for (const Number v : c.actual) {
      print(v.real());
      if (!real)
        print(v.imag());
    }
    std::printf("}},\n");
  }
}

/// With exact results known: ours differ from the recorded ones by no more than a few times what
/// those differ from the exact ones. Otherwise by no more than the case allows.
inline void compare(const Recorded &r) {
  const auto found =
      std::find_if(cases().begin(), cases().end(), [&](const Case &c) { return c.name == r.name; });
  const size_t count = found == cases().end() ? 0 : found->actual.size();
  const size_t parts = count ? r.numbers.size() / count : 0;
  CHECK((parts == 1 || parts == 2) && r.numbers.size() == parts * count);
  if ((parts != 1 && parts != 2) || r.numbers.size() != parts * count)
    return;
  std::vector<Number> theirs;
  for (size_t k = 0; k < count; ++k)
    theirs.emplace_back(r.numbers[parts * k], parts == 2 ? r.numbers[2 * k + 1] : 0);
  const double allowed =
      found->expected.empty()
          ? found->epsilon
          : 4 * distance(theirs, found->expected) + 2 * found->epsilon * largest(found->expected);
  const double ours = distance(found->actual, theirs);
  if (!check::failed(ours <= allowed, __FILE__, __LINE__, r.name))
    return;
  size_t first = 0;
  while (std::abs(found->actual[first] - theirs[first]) <= allowed)
    ++first;
  std::fprintf(stderr, ": off by %g, %g are allowed; element %zu is %.9g, recorded %.9g\n", ours,
               allowed, first, found->actual[first].real(), theirs[first].real());
}

/// The end of main.
inline int finish(int argc, char **argv, const std::vector<Recorded> &all) {
  if (argc > 1 && std::string(argv[1]) == "record") {
    print();
    RETURN_RESULT();
  }
  for (const Case &c : cases()) // whatever has been recorded
    if (!c.expected.empty())
      CHECK_NEAR(distance(c.actual, c.expected), 0, 100 * c.epsilon * largest(c.expected));
  for (const Recorded &r : all)
    compare(r);
  RETURN_RESULT();
}

} // namespace recorded
