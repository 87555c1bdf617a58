// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/profile/assertions.h"

#include "cli/commands.h"
#include "cli/profile/metrics.h"

#include <fmt/format.h>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>

namespace heddle::cli {
namespace {

struct Assertion {
  uint32_t line = 0;
  bool alone = false; // on its line
  std::string metric, relation, number;
};

std::vector<Assertion> assertionsIn(const std::string &path) {
  static const std::regex form(
      R"(^(.*)//\s*heddle:\s*([\w.]+)\s*(==|!=|<=|>=|<|>)\s*([0-9.eE+-]+)\s*$)");
  std::vector<Assertion> result;
  std::ifstream file(path);
  std::string text;
  for (uint32_t line = 1; std::getline(file, text); ++line) {
    std::smatch match;
    if (std::regex_match(text, match, form))
      result.push_back({line, match.str(1).find_first_not_of(" \t") == std::string::npos,
                        match.str(2), match.str(3), match.str(4)});
  }
  return result;
}

class File {
public:
  File(const profile::Profile &profile, std::string path)
      : profile_(profile), path_(std::move(path)) {}

  std::string check(const Assertion &assertion) const {
    const auto tell = [&](const std::string &what) {
      return fmt::format("{}:{}: {} {} {}: {}", path_, assertion.line, assertion.metric,
                         assertion.relation, assertion.number, what);
    };
    const std::optional<Totals> totals =
        assertion.alone ? ofKernelBehind(assertion.line) : ofLine(assertion.line);
    if (!totals)
      return tell(assertion.alone ? "no kernel that was run follows"
                                  : "no code of a kernel that "
                                    "was run is in this line");
    try {
      const Metric &metric = findMetric(assertion.metric);
      if (metric.of_caches && !profile_.caches)
        return tell("it is known with --caches");
      const double value = metric.value(*totals);
      return holds(value, assertion.relation, std::stod(assertion.number))
                 ? std::string()
                 : tell(fmt::format("does not hold, it is {}", numberText(value)));
    } catch (const std::exception &problem) {
      return tell(problem.what());
    }
  }

private:
  std::optional<Totals> ofLine(uint32_t line) const {
    std::optional<Totals> result;
    for (const profile::Kernel &kernel : profile_.kernels)
      for (const LineTotals &one : linesOf(kernel))
        if (one.file == path_ && one.line == line) {
          if (!result)
            result.emplace();
          add(*result, one.totals);
        }
    return result;
  }

  // Of all instances of the function whose first line comes next.
  std::optional<Totals> ofKernelBehind(uint32_t line) const {
    std::map<uint32_t, Totals> by_first_line;
    for (const profile::Kernel &kernel : profile_.kernels)
      for (const LineTotals &one : linesOf(kernel))
        if (one.file == path_ && one.line > line) {
          add(by_first_line[one.line], totalsOf(kernel));
          break;
        }
    return by_first_line.empty() ? std::nullopt : std::optional(by_first_line.begin()->second);
  }

  const profile::Profile &profile_;
  const std::string path_;
};

} // namespace

bool holds(double value, const std::string &relation, double number) {
  if (relation == "==")
    return value == number;
  if (relation == "!=")
    return value != number;
  if (relation == "<=")
    return value <= number;
  if (relation == ">=")
    return value >= number;
  return relation == "<" ? value < number : value > number;
}

std::vector<std::string> brokenAssertions(const profile::Profile &profile) {
  std::set<std::string> files;
  for (const profile::Kernel &kernel : profile.kernels)
    for (const LineTotals &line : linesOf(kernel))
      files.insert(line.file);
  std::vector<std::string> broken;
  for (const std::string &path : files)
    for (const Assertion &assertion : assertionsIn(path))
      if (std::string what = File(profile, path).check(assertion); !what.empty())
        broken.push_back(std::move(what));
  return broken;
}

} // namespace heddle::cli
